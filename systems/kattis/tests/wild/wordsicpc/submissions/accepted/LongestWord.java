import java.io.*;

public class LongestWord {
    public static void main(String[] args) throws IOException {
        String best = "";
        for (String word : new BufferedReader(new InputStreamReader(System.in)).readLine().split(" "))
            if (word.length() > best.length()) best = word;
        System.out.println(best);
    }
}
