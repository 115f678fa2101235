template <int Depth, class... Kinds> struct Bomb {
    typename Bomb<Depth - 1, Kinds..., int>::Kind left;
    typename Bomb<Depth - 1, Kinds..., char>::Kind right;
    using Kind = Bomb;
};
template <class... Kinds> struct Bomb<0, Kinds...> { using Kind = int; };
Bomb<40> bomb;
int main() {}
