char big[2000000000] = {1};
int main(void) { return big[1]; }
