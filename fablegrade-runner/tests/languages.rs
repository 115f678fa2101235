//! Every language, both modes, every way to end, with the real tool chains in the real sandbox.
#![cfg(all(target_os = "linux", feature = "sandbox-tests"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod stage;

use fablegrade_core::End;
use fablegrade_core::view::code::Language;
use stage::{call, case, one, runner};

/// Programs that do one thing each; the reader of standard input doubles every number in it.
struct Programs {
    language: Language,
    doubles: &'static str,
    spins: &'static str,
    sleeps: &'static str,
    eats: &'static str,
    floods: &'static str,
    crashes: &'static str,
    broken: &'static str,
}

const PROGRAMS: &[Programs] = &[
    Programs {
        language: Language::Python,
        doubles: "import sys\nprint(*[2 * int(x) for x in sys.stdin.read().split()])",
        spins: "while True: pass",
        sleeps: "import time\ntime.sleep(60)",
        eats: "all = []\nwhile True: all.append(bytearray(b'x' * 1000000))",
        floods: "while True: print('x' * 1000)",
        crashes: "import sys\nsys.exit(3)",
        broken: "def f(:\n    pass",
    },
    Programs {
        language: Language::JavaScript,
        doubles: "const words = require('fs').readFileSync(0, 'utf8').trim().split(/\\s+/);\n\
                  console.log(words.map((word) => 2 * word).join(' '));",
        spins: "while (true);",
        sleeps: "setTimeout(() => {}, 60000);",
        eats: "const all = []; while (true) all.push(new Array(100000).fill(Math.random()));",
        floods: "const fs = require('fs'); while (true) fs.writeSync(1, 'x'.repeat(1000));",
        crashes: "process.exit(3);",
        broken: "function f( { return 1; }",
    },
    Programs {
        language: Language::C,
        doubles: "#include <stdio.h>\nint main(void) { int x, first = 1; while (scanf(\"%d\", &x) == 1) \
                  { printf(first ? \"%d\" : \" %d\", 2 * x); first = 0; } puts(\"\"); }",
        spins: "int main(void) { volatile int x = 0; for (;;) x++; }",
        sleeps: "#include <unistd.h>\nint main(void) { sleep(60); }",
        eats: "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) { char *p = malloc(1 << 20); \
               if (!p) return 9; memset(p, 1, 1 << 20); } }",
        floods: "#include <stdio.h>\nint main(void) { for (;;) puts(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); }",
        crashes: "int main(void) { return 3; }",
        broken: "int main(void) { return missing; }",
    },
    Programs {
        language: Language::Cpp,
        doubles: "#include <iostream>\nint main() { int x; bool first = true; while (std::cin >> x) \
                  { std::cout << (first ? \"\" : \" \") << 2 * x; first = false; } std::cout << '\\n'; }",
        spins: "int main() { volatile int x = 0; for (;;) x = x + 1; }",
        sleeps: "#include <thread>\nint main() { std::this_thread::sleep_for(std::chrono::seconds(60)); }",
        eats: "#include <vector>\nint main() { std::vector<std::vector<char>> all; for (;;) all.emplace_back(1 << 20, 'x'); }",
        floods: "#include <iostream>\nint main() { for (;;) std::cout << \"xxxxxxxxxxxxxxxxxxxxxxxxxxxx\\n\"; }",
        crashes: "int main() { return 3; }",
        broken: "int main() { std::missing x; }",
    },
    Programs {
        language: Language::Java,
        doubles: "import java.util.*; public class Doubles { public static void main(String[] a) { Scanner s = \
                  new Scanner(System.in); StringJoiner j = new StringJoiner(\" \"); while (s.hasNextInt()) \
                  j.add(String.valueOf(2 * s.nextInt())); System.out.println(j); } }",
        spins: "class Main { public static void main(String[] a) { while (true) { } } }",
        sleeps: "class Main { public static void main(String[] a) throws Exception { Thread.sleep(60000); } }",
        eats: "import java.util.*; class Main { public static void main(String[] a) { List<byte[]> all = \
               new ArrayList<>(); while (true) { byte[] b = new byte[1 << 20]; Arrays.fill(b, (byte) 1); all.add(b); } } }",
        floods: "class Main { public static void main(String[] a) { while (true) System.out.println(\"xxxxxxxxxxxxxxxx\"); } }",
        crashes: "class Main { public static void main(String[] a) { System.exit(3); } }",
        broken: "class Main { public static void main(String[] a) { int x = \"text\"; } }",
    },
    Programs {
        language: Language::Rust,
        doubles: "use std::io::*; fn main() { let mut s = String::new(); stdin().read_to_string(&mut s).unwrap(); \
                  let v: Vec<String> = s.split_whitespace().map(|x| (2 * x.parse::<i64>().unwrap()).to_string()).collect(); \
                  println!(\"{}\", v.join(\" \")); }",
        spins: "use std::sync::atomic::*; static X: AtomicU64 = AtomicU64::new(0);\nfn main() { loop { X.fetch_add(1, Ordering::Relaxed); } }",
        sleeps: "fn main() { std::thread::sleep(std::time::Duration::from_secs(60)); }",
        eats: "fn main() { let mut all = vec![]; loop { all.push(vec![1u8; 1 << 20]); unsafe { std::ptr::read_volatile(all[0].as_ptr()); } } }",
        floods: "fn main() { loop { println!(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); } }",
        crashes: "fn main() { std::process::exit(3); }",
        broken: "fn main() { let x: i32 = \"text\"; }",
    },
    Programs {
        language: Language::Go,
        doubles: "package main\nimport \"fmt\"\nfunc main() { var x int; first := true\nfor { if _, err := fmt.Scan(&x); \
                  err != nil { break }\nif !first { fmt.Print(\" \") }\nfirst = false; fmt.Print(2 * x) }\nfmt.Println() }",
        spins: "package main\nfunc main() { x := 0\nfor { x++ } }",
        sleeps: "package main\nimport \"time\"\nfunc main() { time.Sleep(time.Minute) }",
        eats: "package main\nvar all [][]byte\nfunc main() { for { b := make([]byte, 1 << 20)\nfor i := range b { b[i] = 1 }\n\
               all = append(all, b) } }",
        floods: "package main\nimport \"fmt\"\nfunc main() { for { fmt.Println(\"xxxxxxxxxxxxxxxxxxxxxx\") } }",
        crashes: "package main\nimport \"os\"\nfunc main() { os.Exit(3) }",
        broken: "package main\nfunc main() { var x int = \"text\" }",
    },
];

#[test]
fn programs_that_read_standard_input_end_as_they_should() {
    let runner = runner();
    for programs in PROGRAMS {
        let language = programs.language;
        let run = |source: &str| one(&runner, language, source, None, case("21 -4"));
        let done = run(programs.doubles);
        assert_eq!(
            (&done.end, done.stdout.as_slice()),
            (&End::Exited(0), &b"42 -8\n"[..]),
            "{language:?} {done:?}"
        );
        assert!(
            done.time_ms.is_some() && done.memory_kb.is_some_and(|size| size > 100),
            "{language:?} {done:?}"
        );
        assert_eq!(run(programs.spins).end, End::Timeout, "{language:?} spins");
        let slept = run(programs.sleeps);
        assert_eq!(slept.end, End::Timeout, "{language:?} sleeps");
        assert!(
            slept.time_ms.unwrap() < 2000,
            "ended by the clock, sleeping is no work: {language:?} {slept:?}"
        );
        let ate = run(programs.eats);
        assert_eq!(ate.end, End::MemoryExceeded, "{language:?} eats {ate:?}");
        let flooded = run(programs.floods);
        assert_eq!(flooded.end, End::OutputLimit, "{language:?} floods");
        assert_eq!(flooded.stdout.len(), 64 * 1024);
        assert_eq!(run(programs.crashes).end, End::Exited(3), "{language:?} crashes");
        match run(programs.broken).end {
            End::CompileError(message) => {
                assert!(message.len() > 10, "{language:?} {message}");
                assert!(!message.contains("/box") && !message.contains("/tmp"), "{language:?} {message}");
            }
            other => panic!("{language:?} {other:?}"),
        }
    }
}

/// Functions `solve(list, text, number)`: the list's sum times the number, and the text's length, as a list; and one
/// that loops, one that throws, one that ends the process, and one that prints a forged answer.
const FUNCTIONS: &[(Language, &str, &str, &str)] = &[
    (
        Language::Python,
        "def solve(xs, s, k):\n    print('noise')\n    return [sum(xs) * k, len(s)]",
        "def solve(xs, s, k):\n    while True: pass",
        "import os\ndef solve(xs, s, k):\n    print('[60,5]', flush=True)\n    os._exit(0)",
    ),
    (
        Language::JavaScript,
        "function solve(xs, s, k) { console.log('noise'); return [xs.reduce((a, b) => a + b, 0) * k, s.length]; }",
        "const solve = (xs, s, k) => { while (true); };",
        "exports.solve = (xs, s, k) => { console.log('[60,5]'); process.exit(0); };",
    ),
    (
        Language::C,
        "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n\
         long *solve(const int *xs, size_t n, const char *s, long k, int *size) { puts(\"noise\"); long *out = \
         malloc(16); out[0] = 0; for (size_t i = 0; i < n; i++) out[0] += xs[i]; out[0] *= k; out[1] = strlen(s); \
         *size = 2; return out; }",
        "int solve(int *xs, int n, char *s, int k) { for (;;); }",
        "#include <stdio.h>\n#include <stdlib.h>\nint solve(int *xs, int n, char *s, int k) { puts(\"[60,5]\"); exit(0); }",
    ),
    (
        Language::Cpp,
        "#include <iostream>\nusing namespace std;\n#define int long long\nvector<int> solve(vector<int>& xs, \
         const string& s, int k) { cout << \"noise\\n\"; int t = 0; for (auto x : xs) t += x; return {t * k, (int)s.size()}; }",
        "#include <vector>\n#include <string>\nint solve(std::vector<int> xs, std::string s, int k) { for (volatile int i = 0;; i = i + 1); }",
        "#include <cstdlib>\nclass Solution { public: int solve(std::vector<int> xs, std::string s, int k) \
         { puts(\"[60,5]\"); exit(0); } };",
    ),
    (
        Language::Java,
        "import java.util.*; class Solution { public List<Object> solve(int[] xs, String s, long k) { \
         System.out.println(\"noise\"); long t = 0; for (int x : xs) t += x; return List.of(t * k, s.length()); } }",
        "import java.util.*; public class Thing { static int solve(List<Integer> xs, String s, int k) { while (true) { } } }",
        "class Main { public static int solve(int[] xs, String s, int k) { System.out.println(\"[60,5]\"); System.exit(0); return 1; } }",
    ),
    (
        Language::Rust,
        "pub fn solve(xs: &[i64], s: &str, k: i64) -> (i64, usize) { println!(\"noise\"); (xs.iter().sum::<i64>() * k, s.chars().count()) }",
        "fn solve(xs: Vec<i64>, s: String, k: i64) -> i64 { loop { unsafe { std::ptr::read_volatile(&k); } } }",
        "struct Solution; impl Solution { pub fn solve(xs: Vec<i32>, s: String, k: i32) -> i32 { println!(\"[60,5]\"); std::process::exit(0) } }",
    ),
    (
        Language::Go,
        "import \"fmt\"\nfunc solve(xs []int, s string, k int) []int { fmt.Println(\"noise\"); t := 0\nfor _, x := range xs { t += x }\n\
         return []int{t * k, len([]rune(s))} }",
        "package main\nfunc solve(xs []int, s string, k int) int { for { k++ } }",
        "package main\nimport (\"fmt\"; \"os\")\nfunc solve(xs []int, s string, k int) int { fmt.Println(\"[60,5]\"); os.Exit(0); return 0 }\nfunc main() {}",
    ),
];

#[test]
fn functions_are_called_with_json_and_answer_on_their_own_channel() {
    let runner = runner();
    let broken = |language| PROGRAMS.iter().find(|programs| programs.language == language).unwrap().broken;
    for &(language, good, spins, leaves) in FUNCTIONS {
        let run =
            |source: &str| call(&runner, language, source, "solve", r#"[[1, 2, 3], "häl\u006c\"", 10]"#);
        let done = run(good);
        let length = if matches!(language, Language::C | Language::Cpp) { 6 } else { 5 };
        let wanted = format!("[60,{length}]");
        assert_eq!(done.returned.as_deref(), Some(wanted.as_bytes()), "{language:?} {done:?}");
        assert_eq!((&done.end, done.stdout.as_slice()), (&End::Exited(0), &b"noise\n"[..]), "{language:?}");
        assert_eq!(run(spins).end, End::Timeout, "{language:?}");
        let left = run(leaves);
        assert_eq!((&left.end, &left.returned), (&End::Exited(0), &None), "{language:?} {left:?}");
        assert_eq!(left.stdout, b"[60,5]\n", "{language:?}");
        assert!(matches!(run(broken(language)).end, End::CompileError(_)), "{language:?}");
        let absent = call(&runner, language, good, "absent", "[1]");
        let seen = matches!(absent.end, End::CompileError(_)) || absent.end != End::Exited(0);
        assert!(seen && absent.returned.is_none(), "{language:?} {absent:?}");
        let fewer = call(&runner, language, good, "solve", "[[1]]");
        assert!(fewer.end != End::Exited(0) && fewer.returned.is_none(), "{language:?} {fewer:?}");
        let other = call(&runner, language, good, "solve", r#"[{"a": 1}, 3, "x"]"#);
        assert!(other.end != End::Exited(0) && other.returned.is_none(), "{language:?} {other:?}");
    }
}

#[test]
fn values_of_many_shapes_go_in_and_out_unchanged() {
    let runner = runner();
    let nested = "[[[[1,-2],[]],{\"b\":[0.5,1e3],\"a\":[]},[true,false],\"\\\"\\\\\\n\\u00e9\\ud83d\\ude00\",9007199254740993]]";
    for (language, source) in [
        (Language::Python, "def solve(x): return x"),
        (
            Language::Cpp,
            "std::tuple<std::vector<std::vector<int>>, std::map<std::string, std::vector<double>>, std::vector<bool>, \
             std::string, long long> solve(std::tuple<std::vector<std::vector<int>>, std::map<std::string, \
             std::vector<double>>, std::vector<bool>, std::string, long long> x) { return x; }",
        ),
        (
            Language::Rust,
            "use std::collections::BTreeMap; type T = (Vec<Vec<i32>>, BTreeMap<String, Vec<f64>>, Vec<bool>, String, u64);\n\
             fn solve(x: T) -> T { x }",
        ),
        (Language::Java, "import java.util.*; class Solution { Object solve(Object x) { return x; } }"),
    ] {
        let done = call(&runner, language, source, "solve", nested);
        let returned = done.returned.as_deref().unwrap_or_else(|| panic!("{language:?} {done:?}"));
        let value: serde_json::Value = serde_json::from_slice(returned).unwrap();
        let wanted: serde_json::Value = serde_json::from_str(nested).unwrap();
        assert_eq!(Some(&value), wanted.get(0), "{language:?}");
        assert!(!returned.contains(&b' ') && !returned.contains(&b'\n'), "compact: {language:?}");
    }
    let grids = "[[[\"a\",\"b\"],[\"c\"]],{\"x\":2}]";
    for (language, source) in [
        (
            Language::Go,
            "func solve(g [][]string, m map[string]float64) []interface{} { return []interface{}{g, m, []int(nil)} }",
        ),
        (Language::JavaScript, "export async function solve(g, m) { return [g, m, []]; }"),
        (
            Language::Java,
            "import java.util.*; class Solution { static Object[] solve(char[][] g, Map<String, Integer> m) { return \
             new Object[] {g, m, new int[0]}; } }",
        ),
    ] {
        let done = call(&runner, language, source, "solve", grids);
        let returned = done.returned.as_deref().unwrap_or_else(|| panic!("{language:?} {done:?}"));
        let value: serde_json::Value = serde_json::from_slice(returned).unwrap();
        assert_eq!(value[0], serde_json::json!([["a", "b"], ["c"]]), "{language:?}");
        assert_eq!((value[1]["x"].as_f64(), &value[2]), (Some(2.0), &serde_json::json!([])), "{language:?}");
    }
}
