import java.util.*;

public class Reads {
    public static void main(String[] arguments) throws Exception {
        StringJoiner answer = new StringJoiner(" ");
        for (Scanner words = new Scanner(System.in); words.hasNext(); ) {
            String word = words.next();
            List<byte[]> held = new ArrayList<>();
            switch (word) {
                case "spin": while (true) { }
                case "sleep": Thread.sleep(600000);
                case "eat": while (true) { byte[] block = new byte[1 << 20]; Arrays.fill(block, (byte) 1); held.add(block); }
                case "flood": while (true) System.out.println("xxxxxxxxxxxxxxxx");
                case "crash": System.exit(3);
                default: answer.add(String.valueOf(2 * Integer.parseInt(word)));
            }
        }
        System.out.println(answer);
    }
}
