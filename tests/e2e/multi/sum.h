extern int calls;
int sum(int n);
