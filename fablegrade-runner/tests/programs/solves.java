import java.util.*;

class Solution {
    String solve(String how) throws Exception {
        List<byte[]> held = new ArrayList<>();
        switch (how) {
            case "spin": while (true) { }
            case "sleep": Thread.sleep(600000);
            case "eat": while (true) { byte[] block = new byte[1 << 20]; Arrays.fill(block, (byte) 1); held.add(block); }
            case "flood": while (true) System.out.println("xxxxxxxxxxxxxxxx");
            case "crash": throw new IllegalStateException("as asked");
            default: return how + "!";
        }
    }
}
