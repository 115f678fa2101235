class Helper { static long twice(long n) { return 2 * n; } }
