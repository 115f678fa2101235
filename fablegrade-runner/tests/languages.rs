//! Every language, both modes and every way to end, with the real toolchains in the real sandbox.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod stage;

use fablegrade_core::view::code::Language;
use fablegrade_core::{CaseOutcome, CaseVerdict, End, GradeInput, Grader, Submission};
use fablegrade_runner::Runner;
use serde_json::json;
use stage::{call, runner};

/// One program per mode, which ends in the way that the first word of its input names, and one that does not
/// compile.
struct Programs {
    language: Language,
    /// Prints the numbers on standard input, doubled.
    reads: &'static str,
    /// Returns the text with an exclamation mark.
    solves: &'static str,
    broken: &'static str,
}

macro_rules! programs {
    ($language:ident, $end:literal, $broken:literal) => {
        Programs {
            language: Language::$language,
            reads: include_str!(concat!("programs/reads.", $end)),
            solves: include_str!(concat!("programs/solves.", $end)),
            broken: $broken,
        }
    };
}

const PROGRAMS: &[Programs] = &[
    programs!(Python, "py", "def f(:\n    pass"),
    programs!(JavaScript, "js", "function f( { return 1; }"),
    programs!(C, "c", "int main(void) { return missing; }"),
    programs!(Cpp, "cpp", "int main() { std::missing x; }"),
    programs!(Java, "java", "class Main { public static void main(String[] a) { int x = \"text\"; } }"),
    programs!(Rust, "rs", "fn main() { let x: i32 = \"text\"; }"),
    programs!(Go, "go", "package main\nfunc main() { var x int = \"text\" }"),
];

/// The words that a program reacts to, each with a CPU time limit in milliseconds and the verdict.
const WAYS_TO_END: [(&str, u32, CaseVerdict); 5] = [
    ("spin", 500, CaseVerdict::Timeout),
    ("sleep", 1000, CaseVerdict::Timeout),
    ("eat", 8000, CaseVerdict::MemoryExceeded),
    ("flood", 8000, CaseVerdict::OutputLimit),
    ("crash", 4000, CaseVerdict::RuntimeError),
];

/// Returns a question whose cases pass, fail and end in every other way.
fn question(language: Language, function: Option<&str>) -> Grader {
    let (input, expected, other) = match function {
        Some(_) => ("[\"well\"]", "\"well!\"", "\"well?\""),
        None => ("21 -4", "42 -8", "42 -9"),
    };
    let mut cases = vec![
        json!({ "input": input, "expected": expected, "timeoutMs": 2000 }),
        json!({ "input": input, "expected": other, "timeoutMs": 2000 }),
    ];
    cases.extend(WAYS_TO_END.map(|(word, time_ms, _)| {
        let input = if function.is_some() { format!("[\"{word}\"]") } else { word.to_owned() };
        json!({ "input": input, "expected": expected, "timeoutMs": time_ms })
    }));
    let mut spec = json!({
        "type": "code",
        "languages": [language.as_str()],
        "limits": { "memoryMb": 64 },
        "testSuites": [{ "name": "ways to end", "visibility": "public", "cases": cases }],
    });
    if let Some(name) = function {
        spec["harness"] = json!({ "mode": "function", "functionName": name });
    }
    Grader::from_json(spec.to_string()).unwrap()
}

fn verdicts(grader: &Grader, submission: &Submission, outcomes: &[CaseOutcome]) -> Vec<CaseVerdict> {
    let marked =
        grader.grade_with(&GradeInput::new(submission).with_outcomes(outcomes).with_explanation()).unwrap();
    marked.result().code_results.iter().map(|case| case.verdict).collect()
}

fn ends_in_every_way(runner: &Runner, programs: &Programs, function: Option<&str>) {
    let language = programs.language;
    let source = if function.is_some() { programs.solves } else { programs.reads };
    let grader = question(language, function);
    let submission = |source: &str| {
        let text = json!({ "type": "code", "language": language.as_str(), "source": source });
        Submission::from_json(text.to_string()).unwrap()
    };
    let written = submission(source);
    let outcomes = runner.run(&grader.plan(&written).unwrap(), |_| ());
    let mut expected = vec![CaseVerdict::Passed, CaseVerdict::Failed];
    expected.extend(WAYS_TO_END.map(|(_, _, verdict)| verdict));
    assert_eq!(verdicts(&grader, &written, &outcomes), expected, "{language:?} {outcomes:?}");

    let [well, other, spun, slept, ate, flooded, crashed] = &outcomes[..] else { panic!() };
    for ended in [well, other] {
        assert_eq!(ended.end, End::Exited(0), "{language:?} {ended:?}");
        match function {
            Some(_) => {
                assert_eq!(ended.returned.as_deref(), Some(&b"\"well!\""[..]), "{language:?} {ended:?}")
            }
            None => assert_eq!(ended.stdout, b"42 -8\n", "{language:?} {ended:?}"),
        }
        let measured = ended.time_ms.is_some() && ended.memory_kb.is_some_and(|size| size > 100);
        assert!(measured, "{language:?} {ended:?}");
    }
    assert!(slept.time_ms < Some(1000), "ended by the clock, sleeping is not work: {language:?} {slept:?}");
    assert_eq!(flooded.stdout.len(), 64 * 1024, "{language:?}");
    match function {
        Some(_) => {
            assert!(matches!(crashed.end, End::Exited(1..) | End::Signalled(_)), "{language:?} {crashed:?}");
        }
        None => assert_eq!(crashed.end, End::Exited(3), "{language:?} {crashed:?}"),
    }
    for ended in [spun, slept, ate, flooded, crashed] {
        assert_eq!(ended.returned, None, "{language:?} {ended:?}");
    }

    let broken = submission(programs.broken);
    let outcomes = runner.run(&grader.plan(&broken).unwrap(), |_| ());
    assert_eq!(verdicts(&grader, &broken, &outcomes), [CaseVerdict::CompileError; 7], "{language:?}");
    for outcome in outcomes {
        let End::CompileError(message) = &outcome.end else { panic!("{language:?} {outcome:?}") };
        assert!(message.len() > 10, "{language:?} {message}");
        assert!(!message.contains("/box") && !message.contains("/tmp"), "{language:?} {message}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn programs_that_read_standard_input_end_as_they_should() {
    let runner = runner();
    for programs in PROGRAMS {
        ends_in_every_way(&runner, programs, None);
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn functions_end_as_they_should() {
    let runner = runner();
    for programs in PROGRAMS {
        ends_in_every_way(&runner, programs, Some("solve"));
    }
}

/// Two functions `solve(list, text, number)` per language. The first returns a list: the sum of its list
/// times the number, and the length of the text. The second prints a forged answer and ends the process.
const FUNCTIONS: &[(Language, &str, &str)] = &[
    (
        Language::Python,
        "def solve(xs, s, k):\n    print('noise')\n    return [sum(xs) * k, len(s)]",
        "import os\ndef solve(xs, s, k):\n    print('[60,5]', flush=True)\n    os._exit(0)",
    ),
    (
        Language::JavaScript,
        "function solve(xs, s, k) { console.log('noise'); return [xs.reduce((a, b) => a + b, 0) * k, s.length]; }",
        "exports.solve = (xs, s, k) => { console.log('[60,5]'); process.exit(0); };",
    ),
    (
        Language::C,
        "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n\
         long *solve(const int *xs, size_t n, const char *s, long k, int *size) { puts(\"noise\"); long *out = \
         malloc(16); out[0] = 0; for (size_t i = 0; i < n; i++) out[0] += xs[i]; out[0] *= k; out[1] = strlen(s); \
         *size = 2; return out; }",
        "#include <stdio.h>\n#include <stdlib.h>\nint solve(int *xs, int n, char *s, int k) { puts(\"[60,5]\"); exit(0); }",
    ),
    (
        Language::Cpp,
        "#include <iostream>\nusing namespace std;\n#define int long long\nvector<int> solve(vector<int>& xs, \
         const string& s, int k) { cout << \"noise\\n\"; int t = 0; for (auto x : xs) t += x; return {t * k, (int)s.size()}; }",
        "#include <cstdlib>\nclass Solution { public: int solve(std::vector<int> xs, std::string s, int k) \
         { puts(\"[60,5]\"); exit(0); } };",
    ),
    (
        Language::Java,
        "import java.util.*; class Solution { public List<Object> solve(int[] xs, String s, long k) { \
         System.out.println(\"noise\"); long t = 0; for (int x : xs) t += x; return List.of(t * k, s.length()); } }",
        "class Main { public static int solve(int[] xs, String s, int k) { System.out.println(\"[60,5]\"); System.exit(0); return 1; } }",
    ),
    (
        Language::Rust,
        "pub fn solve(xs: &[i64], s: &str, k: i64) -> (i64, usize) { println!(\"noise\"); (xs.iter().sum::<i64>() * k, s.chars().count()) }",
        "struct Solution; impl Solution { pub fn solve(xs: Vec<i32>, s: String, k: i32) -> i32 { println!(\"[60,5]\"); std::process::exit(0) } }",
    ),
    (
        Language::Go,
        "import \"fmt\"\nfunc solve(xs []int, s string, k int) []int { fmt.Println(\"noise\"); t := 0\nfor _, x := range xs { t += x }\n\
         return []int{t * k, len([]rune(s))} }",
        "package main\nimport (\"fmt\"; \"os\")\nfunc solve(xs []int, s string, k int) int { fmt.Println(\"[60,5]\"); os.Exit(0); return 0 }\nfunc main() {}",
    ),
];

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn functions_are_called_with_json_and_answer_on_their_own_channel() {
    let runner = runner();
    for &(language, good, leaves) in FUNCTIONS {
        let run =
            |source: &str| call(&runner, language, source, "solve", r#"[[1, 2, 3], "häl\u006c\"", 10]"#);
        let done = run(good);
        let length = if matches!(language, Language::C | Language::Cpp) { 6 } else { 5 };
        let wanted = format!("[60,{length}]");
        assert_eq!(done.returned.as_deref(), Some(wanted.as_bytes()), "{language:?} {done:?}");
        assert_eq!((&done.end, done.stdout.as_slice()), (&End::Exited(0), &b"noise\n"[..]), "{language:?}");
        let left = run(leaves);
        assert_eq!((&left.end, &left.returned), (&End::Exited(0), &None), "{language:?} {left:?}");
        assert_eq!(left.stdout, b"[60,5]\n", "{language:?}");
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
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn names_and_initialisers_of_a_solution_are_its_own() {
    let runner = runner();
    let gcd = "#include <numeric>\nusing namespace std;\nint gcd(int a, int b) { return b ? gcd(b, a % b) : a + 100; }";
    let inner = "namespace own { int solve(int a, int b) { return a + b + 76; } }\nusing namespace own;";
    let table = "var table []int\nfunc init() { table = []int{0, 106} }\nfunc zsolve(x, y int) int { return table[x/12] }";
    let slashes = "const parts = text => text.split(/`/);\nexport function solve(a, b) { return parts('`').length + 104; }";
    for (language, source, name) in [
        (Language::Cpp, gcd, "gcd"),
        (Language::Cpp, inner, "solve"),
        (
            Language::Cpp,
            "class Solution { public: int solve(int a, int b) { return a + b + 76; } };",
            "solve",
        ),
        (Language::Go, table, "zsolve"),
        (Language::JavaScript, slashes, "solve"),
    ] {
        let done = call(&runner, language, source, name, "[12, 18]");
        assert_eq!(done.returned.as_deref(), Some(&b"106"[..]), "{language:?} {source} {done:?}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
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

/// The first argument is above the middle of two floats, but its nearest double is the middle.
#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn floats_are_rounded_once_and_written_as_floats() {
    let runner = runner();
    let c = "#include <stdlib.h>\nfloat *solve(const float *x, int n, int *size) { float *y = malloc(n * sizeof *y); \
             for (int i = 0; i < n; i++) y[i] = x[i]; *size = n; return y; }";
    for (language, source) in [
        (Language::C, c),
        (Language::Cpp, "std::vector<float> solve(std::vector<float> x) { return x; }"),
        (Language::Rust, "fn solve(x: Vec<f32>) -> Vec<f32> { x }"),
        (Language::Go, "func solve(x []float32) []float32 { return x }"),
        (Language::Java, "class Solution { float[] solve(float[] x) { return x; } }"),
    ] {
        let done = call(
            &runner,
            language,
            source,
            "solve",
            "[[1.000000059604644775390625001, 0.1, -2.5, 16777217]]",
        );
        let returned = done.returned.as_deref().unwrap_or_else(|| panic!("{language:?} {done:?}"));
        let value: Vec<f64> = serde_json::from_slice(returned).unwrap();
        assert_eq!(value, [1.000_000_1, 0.1, -2.5, 16_777_216.0], "{language:?}");
    }
    let one = call(&runner, Language::C, "float solve(float x) { return x; }", "solve", "[0.1]");
    assert_eq!(one.returned.as_deref(), Some(&b"0.1"[..]), "{one:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn arguments_beyond_the_type_of_a_parameter_are_errors() {
    let runner = runner();
    let rust = |kind: &str| format!("fn solve(x: {kind}) -> i32 {{ let _ = x; 1 }}");
    let cpp = |kind: &str| format!("int solve({kind} x) {{ (void)x; return 1; }}");
    let java = |kind: &str| format!("class Solution {{ int solve({kind} x) {{ return 1; }} }}");
    let go = |kind: &str| format!("func solve(x {kind}) int {{ return 1 }}");
    let bytes = "int solve(const unsigned char *x, int n) { return n > 0; }".to_owned();
    for (language, source, good, bad) in [
        (Language::Go, go("[]byte"), "[[0, 255]]", "[[300]]"),
        (Language::Go, go("[][]byte"), "[[[255], \"abcd\"]]", "[[[256]]]"),
        (Language::Go, go("float32"), "[1e38]", "[1e39]"),
        (Language::C, bytes, "[[255]]", "[[300]]"),
        (Language::C, cpp("float"), "[-1e38]", "[-1e39]"),
        (Language::C, cpp("double"), "[1e308]", "[1e309]"),
        (Language::C, cpp("const char *"), "[\"a\"]", "[\"a\\u0000b\"]"),
        (Language::Cpp, cpp("std::vector<unsigned char>"), "[[255]]", "[[300]]"),
        (Language::Cpp, cpp("float"), "[1e38]", "[1e39]"),
        (Language::Cpp, cpp("double"), "[1e308]", "[-1e309]"),
        (Language::Cpp, cpp("const char *"), "[\"a\"]", "[\"a\\u0000b\"]"),
        (Language::Rust, rust("Vec<u8>"), "[[255]]", "[[300]]"),
        (Language::Rust, rust("f32"), "[1e38]", "[1e39]"),
        (Language::Rust, rust("f64"), "[1e308]", "[1e309]"),
        (Language::Java, java("byte[]"), "[[127]]", "[[300]]"),
        (Language::Java, java("float"), "[1e38]", "[1e39]"),
        (Language::Java, java("double"), "[1e308]", "[1e309]"),
    ] {
        let done = call(&runner, language, &source, "solve", good);
        assert_eq!(done.returned.as_deref(), Some(&b"1"[..]), "{language:?} {source} {done:?}");
        let done = call(&runner, language, &source, "solve", bad);
        assert!(done.returned.is_none() && done.end != End::Exited(0), "{language:?} {source} {done:?}");
    }
    let bytes = "func solve(x [][]byte) string { return string(x[0]) + string(x[1]) }";
    let done = call(&runner, Language::Go, bytes, "solve", "[[\"abcd\", [33]]]");
    assert_eq!(done.returned.as_deref(), Some(&b"\"abcd!\""[..]), "{done:?}");
}
