import java.util.Scanner;

public class Main {
    public static void main(String[] a) {
        System.out.println(Helper.twice(new Scanner(System.in).nextLong()));
    }
}
