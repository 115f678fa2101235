// Shared by generator and checker: the cases of the first subtask are short.
constexpr int cases = 6, easy = 2;
constexpr int length(int at) { return at < easy ? 3 : 1000; }
