// Harmless: fifty threads with stacks of the usual size.
import java.util.concurrent.CountDownLatch;

public class Main {
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }

    public static void main(String[] arguments) throws Exception {
        CountDownLatch all = new CountDownLatch(50);
        Thread[] threads = new Thread[50];
        for (int i = 0; i < 50; i++) {
            threads[i] = new Thread(() -> {
                byte[] block = new byte[1 << 20];
                block[deep(2000)] = 1;
                all.countDown();
                try { all.await(); } catch (InterruptedException e) { }
            });
            threads[i].start();
        }
        for (Thread one : threads) one.join();
        System.out.println("ok");
    }
}
