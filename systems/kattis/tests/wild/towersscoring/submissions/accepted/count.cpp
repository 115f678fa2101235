#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    map<int, long long> seen;
    long long pairs = 0;
    for (int i = 0; i < n; i++) { int h; cin >> h; pairs += seen[h]++; }
    cout << pairs << "\n";
}
