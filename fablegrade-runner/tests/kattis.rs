//! Packages for judges, in real sandboxes: every kind of problem, and hostile validators.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod stage;

use fablegrade_files::{Entry, File, FileLimits, Files};
use fablegrade_kattis::judge::Judgement;
use fablegrade_kattis::{Package, Verdict};
use fablegrade_runner::{Cancel, Runner, kattis};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(2);
const UUID: &str = "00000000-0000-4000-8000-000000000001";

fn package(files: &[(&str, &str)]) -> Package {
    let entries = files.iter().map(|(path, text)| {
        let file = File { bytes: text.as_bytes().to_vec(), executable: Some(text.starts_with("#!")) };
        ((*path).to_owned(), Entry::File(file))
    });
    Package::read(Files::from_entries(entries, FileLimits::default()).unwrap(), "test").unwrap()
}

fn current(kind: &str) -> String {
    format!(
        "problem_format_version: 2025-09\nname: Test\nuuid: {UUID}\ntype: {kind}\nlimits:\n  time_limit: 2\n  validation_time: 3\n  memory: 256\n"
    )
}

/// Judges a submission `a.py` in a package with one case and this validator.
fn judged_by(runner: &Runner, kind: &str, validator: &str, submission: &str) -> Judgement {
    let package = package(&[
        ("problem.yaml", &current(kind)),
        ("data/secret/1.in", "input\n"),
        ("data/secret/1.ans", "answer\n"),
        ("output_validator/validate.py", validator),
        ("submissions/accepted/a.py", submission),
    ]);
    judge(runner, &package)
}

fn judge(runner: &Runner, package: &Package) -> Judgement {
    judge_within(runner, package, LIMIT)
}

fn judge_within(runner: &Runner, package: &Package, limit: Duration) -> Judgement {
    stage::take_orphans();
    let submission = package.submissions.first().expect("a submission");
    let options = kattis::RunOptions::default();
    let judged = kattis::judge(runner, package, submission, limit, &options, &Cancel::new(), |_, _| ());
    assert_eq!(stage::sandboxed_processes(), [""; 0]);
    judged
}

fn case(judged: &Judgement) -> (Option<Verdict>, &str) {
    let reason = judged.cases.first().and_then(Option::as_ref).map_or("", |case| case.reason.as_str());
    (judged.verdict, judged.problem.as_deref().unwrap_or(reason))
}

const ECHO: &str = "import sys\nsys.stdout.write(sys.stdin.read())";

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_validator_gets_its_files_and_leaves_its_feedback() {
    let runner = stage::runner();
    let validator = "import os, sys\n\
        assert os.getcwd() == '/tmp' and os.listdir('.') == ['feedback']\n\
        input, answer, feedback = (sys.argv[1], sys.argv[2], sys.argv[3])\n\
        assert feedback.endswith('/') and open(input).read() == 'input\\n' and open(answer).read() == 'answer\\n'\n\
        open(feedback + 'judgemessage.txt', 'w').write('seen: ' + sys.stdin.read())\n\
        open(feedback + 'teammessage.txt', 'w').write('well done')\n\
        sys.exit(42)";
    let judged = judged_by(&runner, "pass-fail", validator, ECHO);
    assert_eq!(judged.verdict, Some(Verdict::Accepted), "{:?}", case(&judged));
    let result = judged.cases[0].as_ref().unwrap();
    assert_eq!(result.judge_message.as_deref(), Some("seen: input"));
    assert_eq!(result.team_message.as_deref(), Some("well done"));
    let rejects = validator.replace("sys.exit(42)", "sys.exit(43)");
    let judged = judged_by(&runner, "pass-fail", &rejects, ECHO);
    assert_eq!(judged.verdict, Some(Verdict::WrongAnswer));
    assert_eq!(
        judged.cases[0].as_ref().unwrap().judge_message.as_deref(),
        Some("seen: input"),
        "kept after 43"
    );
    for (submission, verdict) in [
        ("import sys; sys.exit(1)", Verdict::RunTimeError),
        ("while True: pass", Verdict::TimeLimitExceeded),
        ("import time; time.sleep(60)", Verdict::TimeLimitExceeded),
        ("x = bytearray(1 << 33)", Verdict::MemoryLimitExceeded),
        ("while True: print('x' * 1000)", Verdict::OutputLimitExceeded),
        ("def f(:", Verdict::CompileError),
    ] {
        let judged = judged_by(&runner, "pass-fail", validator, submission);
        assert_eq!(judged.verdict, Some(verdict), "{submission}: {:?}", case(&judged));
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn what_a_submission_writes_counts_together() {
    let runner = stage::runner();
    let accepts = "import sys\nsys.exit(42)";
    // The limit is 8 MiB: each stream is below it, both together are above it.
    let both = "import sys\nfor stream in (sys.stdout, sys.stderr): stream.write('x' * (5 << 20))";
    assert_eq!(judged_by(&runner, "pass-fail", accepts, both).verdict, Some(Verdict::OutputLimitExceeded));
    let one = "import sys\nsys.stdout.write('x' * (5 << 20))";
    assert_eq!(judged_by(&runner, "pass-fail", accepts, one).verdict, Some(Verdict::Accepted));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn limits_that_the_host_cannot_keep_refuse_the_package() {
    let runner = stage::runner();
    for (limit, why) in [
        ("memory: 99999999", "99999999 MiB of memory for submissions"),
        ("compilation_memory: 99999999", "99999999 MiB of memory for compilation"),
        ("validation_memory: 99999999", "99999999 MiB of memory for validation"),
        ("output: 99999", "99999 MiB of output for submissions"),
    ] {
        let yaml = format!(
            "problem_format_version: 2025-09\nname: X\nuuid: 2e1f6f5c-7a44-4c7b-8d3b-5a3a4de1f001\nlimits: {{{limit}}}\n"
        );
        let judged = judge(
            &runner,
            &package(&[
                ("problem.yaml", &yaml),
                ("data/secret/1.in", "input\n"),
                ("data/secret/1.ans", "input\n"),
                ("output_validator/v.py", "import sys\nsys.exit(42)"),
                ("submissions/accepted/a.py", ECHO),
            ]),
        );
        assert_eq!(judged.verdict, Some(Verdict::JudgeError), "{limit}");
        let told = format!("{:?} {:?}", judged.problem, judged.cases.first());
        assert!(told.contains(why), "{limit}: {told}");
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_build_script_may_leave_the_run_that_lies_there() {
    let runner = stage::runner();
    let base = |scripts: &[(&str, &str)]| {
        let mut files = vec![
            ("problem.yaml", "name: Test\nvalidation: custom\n"),
            ("data/secret/1.in", "input\n"),
            ("data/secret/1.ans", "answer\n"),
            ("submissions/accepted/a.py", ECHO),
        ];
        files.extend(scripts.iter().copied());
        judge(&runner, &package(&files)).verdict
    };
    let built = ("output_validators/v/build", "#!/bin/sh\necho 'exit 42' > accept.sh\n");
    let run = ("output_validators/v/run", "#!/bin/sh\nexec /bin/sh \"$(dirname \"$0\")/accept.sh\"\n");
    assert_eq!(base(&[built, run]), Some(Verdict::Accepted));
    let makes_run =
        ("output_validators/v/build", "#!/bin/sh\nprintf '#!/bin/sh\\nexit 43\\n' > run\nchmod +x run\n");
    assert_eq!(base(&[makes_run]), Some(Verdict::WrongAnswer));
    assert_eq!(base(&[built]), Some(Verdict::JudgeError), "there is no `run`");
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn hostile_validators_are_judge_errors_and_leave_nothing() {
    let runner = stage::runner();
    let accepts = "import sys, os\nd = sys.argv[3]\n";
    for (what, validator) in [
        ("never ends", "import time\nwhile True: time.sleep(60)"),
        ("computes for ever", "while True: pass"),
        ("floods", "import os\nwhile True: os.write(1, b'x' * 65536)"),
        ("floods errors", "import os\nwhile True: os.write(2, b'x' * 65536)"),
        ("exits with 0", "import sys; sys.exit(0)"),
        ("exits with 1", "import sys; sys.exit(1)"),
        ("kills itself", "import os; os.kill(os.getpid(), 9)"),
        ("kills all", "import os, signal, sys\nos.kill(-1, signal.SIGKILL)\nsys.exit(1)"),
        (
            "fills the folder",
            &format!("{accepts}for n in range(100000): open(d + str(n), 'w').write('x')\nsys.exit(42)"),
        ),
        (
            "fills the folder with one file",
            &format!("{accepts}f = open(d + 'x', 'wb')\nwhile True: f.write(b'x' * 65536)\nsys.exit(42)"),
        ),
        (
            "fills the folder with much",
            &format!("{accepts}open(d + 'x', 'wb').truncate(12 << 20)\nsys.exit(42)"),
        ),
        (
            "leaves links",
            &format!("{accepts}os.symlink('/etc/passwd', d + 'judgemessage.txt')\nsys.exit(42)"),
        ),
        ("leaves a pipe", &format!("{accepts}os.mkfifo(d + 'judgemessage.txt')\nsys.exit(42)")),
        (
            "replaces the folder",
            &format!("{accepts}os.rmdir(d)\nos.symlink('/etc', d.rstrip('/'))\nsys.exit(0)"),
        ),
        ("takes all memory", "x = [bytearray(1 << 28) for _ in range(100)]"),
        ("makes processes", "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass"),
        (
            "two scores",
            &format!(
                "{accepts}open(d + 'score.txt', 'w').write('1')\nsys.exit(43 if os.path.exists('/box/a.py') else 7)"
            ),
        ),
    ] {
        let start = Instant::now();
        let judged = judged_by(&runner, "pass-fail", validator, ECHO);
        assert_eq!(judged.verdict, Some(Verdict::JudgeError), "{what}: {:?}", case(&judged));
        assert!(!case(&judged).1.contains("root:"), "{what}");
        assert!(start.elapsed() < Duration::from_secs(40), "{what}: {:?}", start.elapsed());
    }
    // The next run is not affected.
    let judged = judged_by(&runner, "pass-fail", "import sys; sys.exit(42)", ECHO);
    assert_eq!(judged.verdict, Some(Verdict::Accepted));
}

const JUDGE: &str = "import sys\nsecret = 700\n\
    for line in sys.stdin:\n\
    \x20 n = int(line)\n\
    \x20 print('=' if n == secret else '<' if n < secret else '>', flush=True)\n\
    \x20 if n == secret:\n\
    \x20   open(sys.argv[3] + 'judgemessage.txt', 'w').write('found')\n\
    \x20   sys.exit(42)\n\
    sys.exit(43)";
const PLAYER: &str = "low, high = 1, 1000\nwhile True:\n  n = (low + high) // 2\n  print(n, flush=True)\n  word = input()\n  \
    if word == '=': break\n  if word == '<': low = n + 1\n  else: high = n - 1";

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn an_interaction_is_judged_by_who_ended_first_and_how() {
    let runner = stage::runner();
    let interactive =
        |validator: &str, submission: &str| judged_by(&runner, "interactive", validator, submission);
    let judged = interactive(JUDGE, PLAYER);
    assert_eq!(judged.verdict, Some(Verdict::Accepted), "{:?}", case(&judged));
    assert_eq!(judged.cases[0].as_ref().unwrap().judge_message.as_deref(), Some("found"));
    for (what, submission, verdict) in [
        ("gives up", "print(1, flush=True)", Verdict::WrongAnswer),
        ("crashes", "print(1, flush=True)\nimport sys; sys.exit(3)", Verdict::RunTimeError),
        ("crashes after the end", &format!("{PLAYER}\nimport sys; sys.exit(3)"), Verdict::RunTimeError),
        ("computes", "while True: pass", Verdict::TimeLimitExceeded),
        ("neither reads nor ends", "import time\nwhile True: time.sleep(60)", Verdict::TimeLimitExceeded),
        (
            "speaks and never listens",
            "import os\nwhile True: os.write(1, b'1\\n' * 30000)",
            Verdict::TimeLimitExceeded,
        ),
        ("closes its output", "import os, time\nos.close(1)\ntime.sleep(0.2)", Verdict::WrongAnswer),
        ("says nonsense", "print('nonsense', flush=True)\ninput()", Verdict::JudgeError),
    ] {
        let judged = interactive(JUDGE, submission);
        assert_eq!(judged.verdict, Some(verdict), "{what}: {:?}", case(&judged));
    }
    for (what, validator, verdict) in [
        ("rejects at once", "import sys; sys.exit(43)", Verdict::WrongAnswer),
        ("accepts at once", "import sys; sys.exit(42)", Verdict::RunTimeError),
        ("crashes at once", "import sys; sys.exit(1)", Verdict::JudgeError),
        ("listens for ever", "import sys\nwhile True: sys.stdin.readline()", Verdict::TimeLimitExceeded),
        ("neither speaks nor ends", "import time\nwhile True: time.sleep(60)", Verdict::JudgeError),
        ("takes its time", &format!("import time\ntime.sleep(5.5)\n{JUDGE}"), Verdict::Accepted),
        ("both listen", "input()\ninput()", Verdict::JudgeError),
        ("floods", "import os\nwhile True: os.write(1, b'<\\n' * 30000)", Verdict::JudgeError),
    ] {
        let judged = interactive(validator, PLAYER);
        if what == "listens for ever" {
            assert!(
                matches!(judged.verdict, Some(Verdict::TimeLimitExceeded | Verdict::JudgeError)),
                "{what}"
            );
        } else {
            assert_eq!(judged.verdict, Some(verdict), "{what}: {:?}", case(&judged));
        }
    }
}

/// Each program may take three seconds by the clock, and the submission six with the validator's.
#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_validator_is_to_blame_only_for_the_time_that_it_took() {
    let runner = stage::runner();
    let answers = |delay: f64| {
        format!(
            "import sys, time\nfor line in sys.stdin: time.sleep({delay}); print('ok', flush=True)\nsys.exit(43)"
        )
    };
    let polls = "import os, select, sys\nwhile True:\n\
        \x20 if select.select([0], [], [], 0.5)[0]: sys.exit(42 if os.read(0, 100) == b'x\\n' else 43)";
    let asks = "while True: print('x', flush=True); input()";
    let time = Verdict::TimeLimitExceeded;
    for (what, version, validator, submission, verdict) in [
        ("asks late", "2025-09", &*answers(0.3), &*format!("import time\ntime.sleep(5.85)\n{asks}"), time),
        ("asks a slow one", "2025-09", &answers(3.5), asks, Verdict::JudgeError),
        ("both wait, the validator polls", "legacy", polls, "input()", time),
        (
            "the validator sleeps",
            "legacy",
            "import time\nwhile True: time.sleep(0.5)",
            "input()",
            Verdict::JudgeError,
        ),
        (
            "both wait, the validator opens its input",
            "legacy",
            "open('/dev/stdin').readline()",
            "input()",
            time,
        ),
    ] {
        let (kind, folder) = match version {
            "legacy" => ("validation: custom interactive".to_owned(), "output_validators/v"),
            _ => (format!("uuid: {UUID}\ntype: interactive"), "output_validator"),
        };
        let yaml = format!(
            "problem_format_version: {version}\nname: Test\n{kind}\nlimits:\n  validation_time: 1\n  memory: 256\n"
        );
        let package = package(&[
            ("problem.yaml", &yaml),
            ("data/secret/1.in", "input\n"),
            ("data/secret/1.ans", "answer\n"),
            (&format!("{folder}/validate.py"), validator),
            ("submissions/accepted/a.py", submission),
        ]);
        let judged = judge_within(&runner, &package, Duration::from_secs(1));
        assert_eq!(judged.verdict, Some(verdict), "{what}: {:?}", case(&judged));
    }
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn passes_follow_until_the_validator_has_enough() {
    let runner = stage::runner();
    let validator = "import sys, os\nd = sys.argv[3]\ncount = d + 'count.txt'\n\
        said = open(sys.argv[1]).read().strip(), sys.stdin.read().strip()\n\
        passes = int(open(count).read()) + 1 if os.path.exists(count) else 1\n\
        assert not os.path.exists(d + 'nextpass.in')\n\
        open(count, 'w').write(str(passes))\n\
        open(d + 'judgemessage.txt', 'a').write(f'{passes} {said} ')\n\
        if passes < WANTED: open(d + 'nextpass.in', 'w').write(f'pass {passes + 1}')\n\
        sys.exit(42)";
    let judged = judged_by(&runner, "multi-pass", &validator.replace("WANTED", "2"), ECHO);
    assert_eq!(judged.verdict, Some(Verdict::Accepted), "{:?}", case(&judged));
    let said = judged.cases[0].as_ref().unwrap().judge_message.clone();
    assert_eq!(said.as_deref(), Some("1 ('input', 'input') 2 ('pass 2', 'pass 2')"));
    let judged = judged_by(&runner, "multi-pass", &validator.replace("WANTED", "9"), ECHO);
    assert_eq!(judged.verdict, Some(Verdict::JudgeError), "{:?}", case(&judged));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn files_of_a_case_and_answers_handed_in() {
    let runner = stage::runner();
    let with_files = package(&[
        ("problem.yaml", &current("pass-fail")),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", "from the case\n"),
        ("data/secret/1.files/word.txt", "from the case\n"),
        ("submissions/accepted/a/main.py", "print(open('word.txt').read())"),
        ("submissions/accepted/a/word.txt", "from the submission"),
    ]);
    let judged = judge(&runner, &with_files);
    assert_eq!(judged.verdict, Some(Verdict::Accepted), "{:?}", case(&judged));
    let handed_in = package(&[
        ("problem.yaml", &current("submit-answer")),
        ("data/secret/1.in", ""),
        ("data/secret/1.ans", "42\n"),
        ("submissions/accepted/a/1.out", "42\n"),
    ]);
    let judged = judge(&runner, &handed_in);
    assert_eq!(judged.verdict, Some(Verdict::Accepted), "{:?}", case(&judged));
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_package_is_verified_with_its_time_limit_and_expectations() {
    stage::take_orphans();
    let runner = stage::runner();
    let graded = package(&[
        ("problem.yaml", "name: Test\ntype: scoring\nvalidation: default\nlimits:\n  time_multiplier: 5\n"),
        ("data/testdata.yaml", "grading: custom\n"),
        ("data/sample/1.in", "1\n"),
        ("data/sample/1.ans", "1\n"),
        ("data/secret/1.in", "2\n"),
        ("data/secret/1.ans", "2\n"),
        ("data/secret/testdata.yaml", "grading: default\n"),
        (
            "graders/grade.py",
            "import sys\nlines = sys.stdin.read().split()\nprint('AC', 7 if lines.count('AC') == 2 else 3)",
        ),
        (
            "input_validators/digits.py",
            "import sys, re\nsys.exit(42 if re.fullmatch('[1-9][0-9]{0,5}\\n', sys.stdin.read()) else 43)",
        ),
        ("submissions/accepted/good.py", ECHO),
        (
            "submissions/accepted/good.cc",
            "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n; }",
        ),
        ("submissions/wrong_answer/bad.py", "print(3)"),
        ("submissions/time_limit_exceeded/slow.py", "while True: pass"),
        ("submissions/run_time_error/crash.py", "import sys; sys.exit(1)"),
        ("submissions/wrong_answer/mistaken.py", ECHO),
    ]);
    let (mut jobs, mut judged) = (0, 0);
    let options = kattis::VerifyOptions::default();
    let verified = kattis::verify(&runner, &graded, &options, &Cancel::new(), |progress| match progress {
        kattis::Progress::Submission(..) | kattis::Progress::Validators(..) => jobs += 1,
        kattis::Progress::Judged(..) => judged += 1,
        _ => {}
    });
    assert!(!verified.cancelled && verified.findings.is_empty(), "{:?}", verified.findings);
    assert_eq!((verified.limit.limit, judged), (Duration::from_secs(1), 6));
    assert!(jobs > 20, "{jobs}");
    for (submission, verified) in graded.submissions.iter().zip(&verified.submissions) {
        let expected = !submission.path.contains("mistaken");
        assert_eq!(
            verified.checked.unmet.is_empty(),
            expected,
            "{}: {:?}",
            submission.path,
            verified.checked
        );
        if submission.path.contains("good") {
            assert_eq!(verified.at_limit.score.as_ref().map(ToString::to_string).as_deref(), Some("7"));
        }
    }
    let cancel = Cancel::new();
    let cancelled = kattis::verify(&runner, &graded, &options, &cancel, |_| cancel.cancel());
    assert!(cancelled.cancelled && cancelled.submissions.len() == 6);
    assert_eq!(stage::sandboxed_processes(), [""; 0]);
}

/// Returns an example package of the repository.
fn example(name: &str) -> Package {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../systems/kattis/examples").join(name);
    let (mut entries, mut left) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = left.pop() {
        for found in std::fs::read_dir(&folder).unwrap().flatten() {
            if found.path().is_dir() {
                left.push(found.path());
                continue;
            }
            let path = found.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            let file = File { bytes: std::fs::read(found.path()).unwrap(), executable: Some(false) };
            entries.push((path, Entry::File(file)));
        }
    }
    Package::read(Files::from_entries(entries, FileLimits::default()).unwrap(), name).unwrap()
}

#[test]
#[ignore = "starts sandboxes: ./test fablegrade-runner"]
fn a_static_validator_judges_the_sources() {
    let runner = stage::runner();
    let golf = example("golf");
    let options = kattis::VerifyOptions::default();
    let verified = kattis::verify(&runner, &golf, &options, &Cancel::new(), |_| ());
    assert!(golf.static_validator.is_some() && !golf.submissions.is_empty());
    for (submission, verified) in golf.submissions.iter().zip(&verified.submissions) {
        assert!(verified.checked.unmet.is_empty(), "{}: {:?}", submission.path, verified.checked);
    }
}
