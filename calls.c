static unsigned f(unsigned n) { return n < 2 ? n : f(n - 1) + f(n - 2); }
int main(void) { return f(60) == 1; }
