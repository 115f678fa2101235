int bits(int n) {
    return n == 0 ? 0 : n % 2 + bits(n / 2);
}
