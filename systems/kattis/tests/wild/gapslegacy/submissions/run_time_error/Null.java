public class Null {
    public static void main(String[] args) {
        String text = null;
        System.out.println(text.length());
    }
}
