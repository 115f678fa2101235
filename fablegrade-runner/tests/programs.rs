//! Programs of several files, in real sandboxes.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod stage;

use fablegrade_runner::sandbox::{Collect, End, GivenFile, Limits, Outcome};
use fablegrade_runner::{BuildError, BuildLimits, Cancel, Program, ProgramForm, ProgramSource, Runner};
use std::time::Duration;

/// Paths and texts of files.
type Texts<'a> = &'a [(&'a str, &'a str)];

fn source(form: ProgramForm, files: Texts<'_>) -> ProgramSource {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    ProgramSource { files, form }
}

fn language(word: &str, entry: Option<&str>) -> ProgramForm {
    ProgramForm::Language { language: word.to_owned(), entry: entry.map(str::to_owned) }
}

fn build(runner: &Runner, form: ProgramForm, files: Texts<'_>) -> Result<Program, BuildError> {
    runner.build(&source(form, files), &BuildLimits::default(), &Cancel::new())
}

fn output(runner: &Runner, program: &Program, input: &str) -> Outcome {
    let mut job = program.job(vec!["argument".to_owned()], 256);
    job.input = input.as_bytes().to_vec();
    job.limits.cpu = Duration::from_secs(10);
    job.limits.wall = Duration::from_secs(30);
    runner.run_job(&job)
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn each_language_takes_several_files() {
    let runner = stage::runner();
    let programs: &[(&str, Option<&str>, Texts<'_>)] = &[
        (
            "python",
            Some("start.py"),
            &[
                ("start.py", "import sys\nfrom part.word import word\nprint(word(), sys.argv[1], input())"),
                ("part/word.py", "def word(): return 'several'"),
                ("other.py", "print('not this one')"),
            ],
        ),
        (
            "c",
            None,
            &[
                (
                    "main.c",
                    "#include <stdio.h>\n#include \"word.h\"\nint main(int n, char **a) { char t[99]; \
                            scanf(\"%98s\", t); printf(\"%s %s %s\\n\", word(), a[1], t); }",
                ),
                ("word.h", "const char *word(void);"),
                ("word.c", "#include \"word.h\"\nconst char *word(void) { return \"several\"; }"),
            ],
        ),
        (
            "cpp",
            None,
            &[
                (
                    "main.cc",
                    "#include <iostream>\n#include \"lib/word.hpp\"\nint main(int, char **a) { std::string t; \
                             std::cin >> t; std::cout << word() << ' ' << a[1] << ' ' << t << std::endl; }",
                ),
                ("lib/word.hpp", "#include <string>\nstd::string word();"),
                ("lib/word.cpp", "#include <lib/word.hpp>\nstd::string word() { return \"several\"; }"),
            ],
        ),
        (
            "java",
            Some("Start"),
            &[
                (
                    "Start.java",
                    "public class Start { public static void main(String[] a) { \
                                System.out.println(Word.word() + \" \" + a[0] + \" \" + new java.util.Scanner(System.in).next()); } }",
                ),
                (
                    "Word.java",
                    "class Word { static String word() { return \"several\"; } public static void main(String[] a) {} }",
                ),
            ],
        ),
        (
            "rust",
            Some("main.rs"),
            &[
                (
                    "main.rs",
                    "mod word;\nfn main() { let mut t = String::new(); std::io::stdin().read_line(&mut t).unwrap(); \
                             println!(\"{} {} {}\", word::word(), std::env::args().nth(1).unwrap(), t.trim()); }",
                ),
                ("word.rs", "pub fn word() -> &'static str { \"several\" }"),
            ],
        ),
        (
            "go",
            None,
            &[
                (
                    "main.go",
                    "package main\nimport (\"fmt\"; \"os\")\nfunc main() { var t string; fmt.Scan(&t); fmt.Println(word(), os.Args[1], t) }",
                ),
                ("word.go", "package main\nfunc word() string { return \"several\" }"),
            ],
        ),
        (
            "javascript",
            Some("start.js"),
            &[
                (
                    "start.js",
                    "console.log(require('./word.js'), process.argv[2], require('fs').readFileSync(0, 'utf8').trim())",
                ),
                ("word.js", "module.exports = 'several'"),
            ],
        ),
    ];
    for (word, entry, files) in programs {
        let program =
            build(&runner, language(word, *entry), files).unwrap_or_else(|error| panic!("{word}: {error}"));
        let done = output(&runner, &program, "input\n");
        assert_eq!(done.end, End::Exited(0), "{word}: {done:?}");
        assert_eq!(String::from_utf8_lossy(&done.output), "several argument input\n", "{word}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn scripts_build_in_a_copy_of_their_folder() {
    let runner = stage::runner();
    let files = [
        (
            "build",
            "#!/bin/sh\nset -e\ngcc -o compiled part/main.c\nprintf '#!/bin/sh\\nexec ./compiled \"$@\"\\n' > run\nchmod +x run",
        ),
        (
            "part/main.c",
            "#include <stdio.h>\nint main(int n, char **a) { printf(\"built %s\\n\", a[1]); return 42; }",
        ),
    ];
    let program = build(&runner, ProgramForm::Scripts, &files).unwrap();
    let done = output(&runner, &program, "");
    assert_eq!((done.end, done.output.as_slice()), (End::Exited(42), b"built argument\n".as_slice()));
    let only_run = [("run", "#!/bin/sh\ncat data.txt"), ("data.txt", "beside it")];
    let program = build(&runner, ProgramForm::Scripts, &only_run).unwrap();
    assert_eq!(output(&runner, &program, "").output, b"beside it");
    let fails = [("build", "#!/bin/sh\necho no such luck >&2\nexit 3"), ("run", "#!/bin/sh\n")];
    let error = build(&runner, ProgramForm::Scripts, &fails).unwrap_err();
    assert!(matches!(&error, BuildError::Compile(said) if said.contains("no such luck")), "{error:?}");
    let makes_none = [("build", "#!/bin/sh\ntrue")];
    let error = build(&runner, ProgramForm::Scripts, &makes_none).unwrap_err();
    assert!(error.to_string().contains("no `run`"), "{error}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn what_cannot_be_built_says_why() {
    let runner = stage::runner();
    let cases: &[(&str, Option<&str>, Texts<'_>, &str)] = &[
        ("cpp", None, &[("a.cpp", "int main() { retrun 0; }")], "a.cpp:1"),
        ("python", None, &[("a.py", "print('fine')"), ("b.py", "def f(:")], "b.py"),
        ("python", Some("gone.py"), &[("a.py", "")], "there is no gone.py"),
        ("c", None, &[("a.txt", "")], "no source file (.c)"),
        ("c", None, &[("../a.c", "int main(void) {}")], "not a path"),
        ("c", None, &[("a.c", "#include \"/etc/passwd\"\nint main(void) {}")], "/etc/passwd"),
    ];
    for (word, entry, files, expected) in cases {
        let error = build(&runner, language(word, *entry), files).unwrap_err();
        assert!(
            matches!(&error, BuildError::Compile(said) if said.contains(expected) && !said.contains("root:")),
            "{word} {error:?}"
        );
    }
    let unknown = build(&runner, language("cobol", None), &[("a.cob", "")]).unwrap_err();
    assert!(matches!(unknown, BuildError::Unsupported(_)), "{unknown:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn the_stack_is_bounded_by_the_memory_only() {
    let runner = stage::runner();
    let deep = "#include <stdio.h>\nlong sum(volatile long n) { volatile char page[900]; page[0] = 1; \
                return n ? sum(n - 1) + page[0] : 0; }\nint main(void) { printf(\"%ld\\n\", sum(100000)); }";
    let program = build(&runner, language("c", None), &[("deep.c", deep)]).unwrap();
    let mut job = program.job(Vec::new(), 256);
    job.limits.stack = Limits::UNLIMITED;
    let done = runner.run_job(&job);
    assert_eq!(
        (done.end, done.output.as_slice()),
        (End::Exited(0), b"100000\n".as_slice()),
        "about 100 MiB of stack"
    );
    job.limits.memory = 64 << 20;
    let done = runner.run_job(&job);
    assert!(matches!(done.end, End::MemoryExceeded | End::Signalled(11)), "{done:?}");
    let threads = "import threading\nall = [threading.Thread(target=lambda: None) for _ in range(50)]\n\
                   [one.start() for one in all]\n[one.join() for one in all]\nprint('ok')";
    let program = build(&runner, language("python", None), &[("a.py", threads)]).unwrap();
    let mut job = program.job(Vec::new(), 64);
    job.limits.stack = Limits::UNLIMITED;
    let done = runner.run_job(&job);
    assert_eq!(done.output, b"ok\n", "{done:?}");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn given_files_overwrite_and_regular_files_come_back_whatever_the_exit_code() {
    let runner = stage::runner();
    let text = "import os, sys\n\
                print(open('/box/word.txt').read(), open('/data/in').read(), open('/tmp/out/before').read())\n\
                os.symlink('/etc/passwd', '/tmp/out/link')\nos.mkfifo('/tmp/out/pipe')\nos.mkdir('/tmp/out/deep')\n\
                open('/tmp/out/deep/message', 'w').write('kept')\nopen('/tmp/out/before', 'a').write(' and after')\n\
                try: open('/box/word.txt', 'w')\nexcept OSError: print('read-only')\nsys.exit(43)";
    let program = build(&runner, language("python", None), &[("a.py", text), ("word.txt", "old")]).unwrap();
    let mut job = program.job(Vec::new(), 64);
    let file = |path: &str, text: &str| GivenFile {
        path: path.to_owned(),
        content: text.as_bytes().into(),
        executable: false,
    };
    job.files =
        vec![file("/box/word.txt", "new"), file("/data/in", "input"), file("/tmp/out/before", "before")];
    job.collect = Some(Collect { directory: "/tmp/out".to_owned(), bytes: 1000, files: 10, always: true });
    let done = runner.run_job(&job);
    assert_eq!(done.end, End::Exited(43), "{done:?}");
    assert_eq!(String::from_utf8_lossy(&done.output), "new input before\nread-only\n");
    let mut files: Vec<_> = done
        .collected
        .iter()
        .map(|file| (file.path.as_str(), String::from_utf8_lossy(&file.content)))
        .collect();
    files.sort();
    assert_eq!(files, [("before", "before and after".into()), ("deep/message", "kept".into())]);
    assert_eq!(done.passed_over, 2);
    for path in ["relative", "/alone", "/data/../etc/passwd", "/data//x", "/tmp/./x"] {
        job.files = vec![file(path, "")];
        assert!(matches!(runner.sandbox().unwrap().run(&job).end, End::Trouble(_)), "{path}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn only_what_the_program_writes_counts_as_written() {
    let runner = stage::runner();
    let text = "open('/tmp/own', 'w').write('x' * (256 << 10))\nprint('ok')";
    let program = build(&runner, language("python", None), &[("a.py", text)]).unwrap();
    let mut job = program.job(Vec::new(), 64);
    let file = |path: &str| GivenFile {
        path: path.to_owned(),
        content: vec![b'y'; 1 << 20].into(),
        executable: false,
    };
    job.files = vec![file("/data/in"), file("/tmp/before")];
    assert_eq!(runner.run_job(&job).written, (256 << 10) + 3);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn files_whose_paths_are_not_text_are_passed_over() {
    let runner = stage::runner();
    let text = "import os\nopen(b'/tmp/out/\\xff', 'w').write('x')\nos.mkdir(b'/tmp/out/\\xfe')\n\
                open(b'/tmp/out/\\xfe/a', 'w').write('x')\nopen('/tmp/out/\\u00e9', 'w').write('kept')";
    let program = build(&runner, language("python", None), &[("a.py", text)]).unwrap();
    let mut job = program.job(Vec::new(), 64);
    job.collect = Some(Collect { directory: "/tmp/out".to_owned(), bytes: 1000, files: 10, always: true });
    let done = runner.run_job(&job);
    assert_eq!(done.end, End::Exited(0), "{done:?}");
    assert_eq!(done.passed_over, 2);
    assert_eq!(done.collected.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["\u{e9}"]);
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn files_of_exactly_the_limit_come_back_and_one_byte_more_ends_the_run() {
    let runner = stage::runner();
    let text = "import sys\nfor at in range(3): open(f'/tmp/out/{at}', 'w').write('x' * 100)\n\
                open('/tmp/out/last', 'w').write('x' * int(sys.argv[1]))";
    let program = build(&runner, language("python", None), &[("a.py", text)]).unwrap();
    for (last, end) in [(700, End::Exited(0)), (701, End::OutputLimit)] {
        let mut job = program.job(vec![last.to_string()], 64);
        job.collect =
            Some(Collect { directory: "/tmp/out".to_owned(), bytes: 1000, files: 4, always: false });
        assert_eq!(runner.run_job(&job).end, end, "{last}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_folder_of_too_many_paths_is_not_taken_for_a_complete_one() {
    let runner = stage::runner();
    let text = "import os, sys\nfor at in range(int(sys.argv[1])):\n    \
                path = f'/tmp/out/{at:0>200}'\n    os.mkdir(path)\n    open(path + '/file', 'w').close()";
    let program = build(&runner, language("python", None), &[("a.py", text)]).unwrap();
    for (folders, end) in [(1200, End::Exited(0)), (1400, End::OutputLimit)] {
        let mut job = program.job(vec![folders.to_string()], 64);
        job.collect =
            Some(Collect { directory: "/tmp/out".to_owned(), bytes: 1000, files: 2000, always: true });
        let done = runner.run_job(&job);
        assert_eq!(done.end, end, "{folders}");
        let whole = if done.end == End::Exited(0) { folders } else { 0 };
        assert_eq!(done.collected.len(), whole, "{folders}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_program_with_scripts_keeps_as_many_files_as_a_program_may_have() {
    let runner = stage::runner();
    let names: Vec<String> = (0..1998).map(|at| format!("data/{at}")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "x")).collect();
    files.extend([("build", "#!/bin/sh\ntrue"), ("run", "#!/bin/sh\nfind /box -type f | wc -l")]);
    let program = build(&runner, ProgramForm::Scripts, &files).unwrap();
    let mut job = program.job(Vec::new(), 64);
    let done = runner.run_job(&job);
    assert_eq!((&done.end, done.output.as_slice()), (&End::Exited(0), b"2000\n".as_slice()), "{done:?}");
    job.files = vec![GivenFile { path: "/box/more".to_owned(), content: (*b"x").into(), executable: false }];
    let End::Trouble(why) = runner.run_job(&job).end else { panic!("a file was added") };
    assert!(why.contains("cannot be copied"), "{why}");
}
