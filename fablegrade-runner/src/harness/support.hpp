// Deduces the types of a function's parameters, reads them as JSON from standard input, calls it and writes the value
// to descriptor 3. Included before the solution, so the solution's macros cannot change anything here.
#include <unistd.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fablegrade {

inline int argument = 0;

[[noreturn]] inline void stop(const std::string &message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(3);
}

struct Reader {
    std::string all;
    std::size_t at = 0;

    char look() {
        while (at < all.size() && std::strchr(" \t\n\r", all[at])) at++;
        return at < all.size() ? all[at] : '\0';
    }
    bool take(char wanted) {
        if (look() != wanted) return false;
        at++;
        return true;
    }
    [[noreturn]] void wrong(const char *wanted) {
        look();
        stop("argument " + std::to_string(argument) + ": " + wanted + " expected, found `" + all.substr(at, 40) + "`");
    }
    void need(char wanted, const char *what) {
        if (!take(wanted)) wrong(what);
    }
    bool word(const char *wanted) {
        look();
        std::size_t length = std::strlen(wanted);
        if (all.compare(at, length, wanted) != 0) return false;
        at += length;
        return true;
    }
    template <class Element> void each(Element element) {
        need('[', "an array");
        if (take(']')) return;
        do element();
        while (take(','));
        need(']', "the end of an array");
    }
    unsigned hex() {
        unsigned value = 0;
        if (at + 4 > all.size() || std::from_chars(&all[at], &all[at] + 4, value, 16).ptr != &all[at] + 4)
            wrong("four hexadecimal digits");
        at += 4;
        return value;
    }
    std::string text() {
        need('"', "a string");
        std::string out;
        while (at < all.size() && all[at] != '"') {
            char c = all[at++];
            if (c != '\\') {
                out += c;
                continue;
            }
            c = at < all.size() ? all[at++] : '\0';
            static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
            const char *found = c ? std::strchr(from, c) : nullptr;
            if (found) {
                out += into[found - from];
                continue;
            }
            unsigned code = hex();
            if (code >= 0xd800 && code < 0xdc00 && all.compare(at, 2, "\\u") == 0) {
                at += 2;
                code = 0x10000 + ((code - 0xd800) << 10) + (hex() - 0xdc00);
            }
            if (code < 0x80) {
                out += char(code);
            } else if (code < 0x800) {
                out += char(0xc0 | code >> 6);
                out += char(0x80 | (code & 63));
            } else if (code < 0x10000) {
                out += char(0xe0 | code >> 12);
                out += char(0x80 | (code >> 6 & 63));
                out += char(0x80 | (code & 63));
            } else {
                out += char(0xf0 | code >> 18);
                out += char(0x80 | (code >> 12 & 63));
                out += char(0x80 | (code >> 6 & 63));
                out += char(0x80 | (code & 63));
            }
        }
        if (at >= all.size()) wrong("the end of a string");
        at++;
        return out;
    }
};

template <class T> struct Json {
    static_assert(sizeof(T) == 0, "a parameter or the value has a type without a JSON form");
};

template <class T> T read(Reader &from) { return Json<T>::read(from); }
template <class T> void write(std::string &out, const T &value) { Json<T>::write(out, value); }

template <class T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char>)
struct Json<T> {
    static T read(Reader &from) {
        T value{};
        from.look();
        const char *begin = from.all.data() + from.at, *end = from.all.data() + from.all.size();
        auto [stop, error] = std::from_chars(begin, end, value);
        if (error != std::errc() || (stop != end && std::strchr(".eE", *stop))) from.wrong("an integer within the range of the type");
        from.at += std::size_t(stop - begin);
        return value;
    }
    static void write(std::string &out, const T &value) { out += std::to_string(value); }
};

template <class T>
    requires std::is_floating_point_v<T>
struct Json<T> {
    static T read(Reader &from) {
        char first = from.look();
        if (first != '-' && (first < '0' || first > '9')) from.wrong("a number");
        const char *begin = from.all.c_str() + from.at;
        char *end = nullptr;
        T value;
        if constexpr (std::is_same_v<T, float>) value = std::strtof(begin, &end);
        else if constexpr (std::is_same_v<T, double>) value = std::strtod(begin, &end);
        else value = T(std::strtold(begin, &end));
        if (!std::isfinite(value)) from.wrong("a number within the range of the type");
        from.at += std::size_t(end - begin);
        return value;
    }
    static void write(std::string &out, const T &given) {
        double value = double(given);
        if (!std::isfinite(value)) stop("the function returned a number that has no JSON form");
        char text[64];
        char *end = std::is_same_v<T, float> ? std::to_chars(text, text + 64, float(given)).ptr : std::to_chars(text, text + 64, value).ptr;
        out.append(text, end);
        if (std::string_view(text, std::size_t(end - text)).find_first_of(".e") == std::string_view::npos) out += ".0";
    }
};

template <> struct Json<bool> {
    static bool read(Reader &from) {
        if (from.word("true")) return true;
        if (from.word("false")) return false;
        from.wrong("true or false");
    }
    static void write(std::string &out, bool value) { out += value ? "true" : "false"; }
};

template <> struct Json<std::string> {
    static std::string read(Reader &from) { return from.text(); }
    static void write(std::string &out, std::string_view value) {
        out += '"';
        for (char c : value) {
            if (c == '"' || c == '\\') out += '\\';
            if (static_cast<unsigned char>(c) < 32) {
                char code[8];
                std::snprintf(code, sizeof code, "\\u%04x", c);
                out += code;
            } else {
                out += c;
            }
        }
        out += '"';
    }
};

template <> struct Json<std::string_view> {
    static std::string_view read(Reader &from) { return *new std::string(from.text()); }
    static void write(std::string &out, std::string_view value) { Json<std::string>::write(out, value); }
};

template <> struct Json<const char *> {
    static const char *read(Reader &from) {
        std::string *text = new std::string(from.text());
        if (text->find('\0') != std::string::npos)
            stop("argument " + std::to_string(argument) + ": a string without the character NUL expected");
        return text->c_str();
    }
    static void write(std::string &out, const char *value) { Json<std::string>::write(out, value); }
};

template <> struct Json<char> {
    static char read(Reader &from) {
        std::string text = from.text();
        if (text.size() != 1) stop("argument " + std::to_string(argument) + ": a string of one ASCII character expected");
        return text[0];
    }
    static void write(std::string &out, char value) { Json<std::string>::write(out, std::string_view(&value, 1)); }
};

template <class Range> void write_range(std::string &out, const Range &range) {
    out += '[';
    bool first = true;
    for (const auto &element : range) {
        if (!first) out += ',';
        first = false;
        write<std::decay_t<decltype(element)>>(out, element);
    }
    out += ']';
}

template <class Range> struct Sequence {
    static Range read(Reader &from) {
        Range range;
        from.each([&] { range.insert(range.end(), fablegrade::read<typename Range::value_type>(from)); });
        return range;
    }
    static void write(std::string &out, const Range &range) { write_range(out, range); }
};
template <class T, class A> struct Json<std::vector<T, A>> : Sequence<std::vector<T, A>> {};
template <class T> struct Json<std::deque<T>> : Sequence<std::deque<T>> {};
template <class T> struct Json<std::list<T>> : Sequence<std::list<T>> {};
template <class T> struct Json<std::set<T>> : Sequence<std::set<T>> {};
template <class T> struct Json<std::multiset<T>> : Sequence<std::multiset<T>> {};
template <class T> struct Json<std::unordered_set<T>> : Sequence<std::unordered_set<T>> {};
template <class A> struct Json<std::vector<bool, A>> {
    static std::vector<bool, A> read(Reader &from) {
        std::vector<bool, A> range;
        from.each([&] { range.push_back(Json<bool>::read(from)); });
        return range;
    }
    static void write(std::string &out, const std::vector<bool, A> &range) {
        out += '[';
        for (std::size_t at = 0; at < range.size(); at++) {
            if (at) out += ',';
            Json<bool>::write(out, bool(range[at]));
        }
        out += ']';
    }
};

template <class T, std::size_t N> struct Json<std::array<T, N>> {
    static std::array<T, N> read(Reader &from) {
        std::array<T, N> range{};
        std::size_t at = 0;
        from.each([&] {
            if (at == N) from.wrong("a shorter array");
            range[at++] = fablegrade::read<T>(from);
        });
        if (at != N) from.wrong("a longer array");
        return range;
    }
    static void write(std::string &out, const std::array<T, N> &range) { write_range(out, range); }
};

template <class Map> struct Mapping {
    static Map read(Reader &from) {
        Map map;
        from.need('{', "an object");
        if (from.take('}')) return map;
        do {
            std::string key = from.text();
            from.need(':', "a colon");
            map[std::move(key)] = fablegrade::read<typename Map::mapped_type>(from);
        } while (from.take(','));
        from.need('}', "the end of an object");
        return map;
    }
    static void write(std::string &out, const Map &map) {
        out += '{';
        bool first = true;
        for (const auto &[key, value] : map) {
            if (!first) out += ',';
            first = false;
            Json<std::string>::write(out, key);
            out += ':';
            fablegrade::write<typename Map::mapped_type>(out, value);
        }
        out += '}';
    }
};
template <class T> struct Json<std::map<std::string, T>> : Mapping<std::map<std::string, T>> {};
template <class T> struct Json<std::unordered_map<std::string, T>> : Mapping<std::unordered_map<std::string, T>> {};

template <class T> struct Json<std::optional<T>> {
    static std::optional<T> read(Reader &from) {
        if (from.word("null")) return std::nullopt;
        return fablegrade::read<T>(from);
    }
    static void write(std::string &out, const std::optional<T> &value) {
        if (value) fablegrade::write<T>(out, *value);
        else out += "null";
    }
};

template <class Tuple> struct Fixed {
    static Tuple read(Reader &from) {
        Tuple tuple;
        bool first = true;
        from.need('[', "an array");
        std::apply([&](auto &...parts) { (([&] {
            if (!first) from.need(',', "one more element");
            first = false;
            parts = fablegrade::read<std::decay_t<decltype(parts)>>(from);
        }()), ...); }, tuple);
        from.need(']', "the end of an array");
        return tuple;
    }
    static void write(std::string &out, const Tuple &tuple) {
        out += '[';
        bool first = true;
        std::apply([&](const auto &...parts) { (([&] {
            if (!first) out += ',';
            first = false;
            fablegrade::write<std::decay_t<decltype(parts)>>(out, parts);
        }()), ...); }, tuple);
        out += ']';
    }
};
template <class... T> struct Json<std::tuple<T...>> : Fixed<std::tuple<T...>> {};
template <class A, class B> struct Json<std::pair<A, B>> {
    static std::pair<A, B> read(Reader &from) {
        auto tuple = Fixed<std::tuple<A, B>>::read(from);
        return {std::move(std::get<0>(tuple)), std::move(std::get<1>(tuple))};
    }
    static void write(std::string &out, const std::pair<A, B> &pair) {
        Fixed<std::tuple<A, B>>::write(out, std::tuple<A, B>(pair.first, pair.second));
    }
};

inline Reader open(std::string &tag) {
    std::string all;
    char part[65536];
    for (ssize_t got; (got = ::read(0, part, sizeof part)) > 0;) all.append(part, std::size_t(got));
    std::size_t end = all.find('\n');
    if (end == std::string::npos) std::exit(3);
    tag = all.substr(0, end);
    return Reader{all.substr(end + 1)};
}

template <class T> T next(Reader &from) {
    if (argument++ ? !from.take(',') : !from.take('[')) stop("the function takes more arguments than the case has");
    return read<T>(from);
}

template <class Call, class Value, class... Parameters> int run(Call call) {
    std::string tag;
    Reader from = open(tag);
    // Braces keep the order of evaluation from left to right.
    std::tuple<std::decay_t<Parameters>...> given{next<std::decay_t<Parameters>>(from)...};
    if (argument == 0) from.take('[');
    if (!from.take(']')) stop("the function takes fewer arguments than the case has");
    std::string out = tag + " ";
    auto apply = [&](auto &...parts) -> decltype(auto) { return call(static_cast<Parameters &&>(parts)...); };
    if constexpr (std::is_void_v<Value>) {
        std::apply(apply, given);
        out += "null";
    } else {
        decltype(auto) value = std::apply(apply, given);
        write<std::decay_t<Value>>(out, value);
    }
    out += '\n';
    std::fflush(stdout);
    for (std::size_t at = 0; at < out.size();) {
        ssize_t wrote = ::write(3, out.data() + at, out.size() - at);
        if (wrote <= 0) return 3;
        at += std::size_t(wrote);
    }
    return 0;
}

template <class Value, class... Parameters> int call(Value (*function)(Parameters...)) {
    return run<decltype(function), Value, Parameters...>(function);
}
template <class Class, class Value, class... Parameters> int call(Value (Class::*method)(Parameters...)) {
    static Class object;
    auto bound = [=](Parameters... given) -> Value { return (object.*method)(static_cast<Parameters &&>(given)...); };
    return run<decltype(bound), Value, Parameters...>(bound);
}
template <class Class, class Value, class... Parameters> int call(Value (Class::*method)(Parameters...) const) {
    static Class object;
    auto bound = [=](Parameters... given) -> Value { return (object.*method)(static_cast<Parameters &&>(given)...); };
    return run<decltype(bound), Value, Parameters...>(bound);
}

}  // namespace fablegrade
