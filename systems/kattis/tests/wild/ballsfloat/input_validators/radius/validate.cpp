#include "reader.h"

int main() {
    Reader reader;
    reader.number(1, 1000);
    reader.end();
    return 42;
}
