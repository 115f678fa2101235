//! Faults that are small parts of a package: people, files of another version, expectations, single values. Beside each
//! fault stand packages without it, which have no finding of its rule.
#![allow(clippy::unwrap_used)]

mod outcomes;

use fablegrade_kattis::Package;
use fablegrade_public::Severity::{self, Error, Warning};
use outcomes::{NEW, with_cases};

/// Returns the severities of a rule's findings, with their places.
fn told(package: &Package, rule: &str) -> Vec<(Severity, String)> {
    let found = package.findings.iter().filter(|finding| finding.rule == rule);
    found.map(|finding| (finding.severity, finding.message.clone())).collect()
}

/// Checks a rule against packages with the faults, which have one finding each, and against packages without them.
fn check(rule: &str, severity: Severity, faults: &[&[(&str, &str)]], right: &[&[(&str, &str)]]) {
    for files in faults {
        let found = told(&with_cases(files, &["secret/01"]), rule);
        let severities: Vec<Severity> = found.iter().map(|(severity, _)| *severity).collect();
        assert_eq!(severities, [severity], "{rule}: {files:?}: {found:?}");
    }
    for files in right {
        let package = with_cases(files, &["secret/01"]);
        assert!(told(&package, rule).is_empty(), "{rule}: {files:?}: {:?}", package.findings);
    }
}

/// Checks a rule against texts of `problem.yaml` that follow the required keys.
fn check_yaml(head: &str, rule: &str, severity: Severity, faults: &[&str], right: &[&str]) {
    let files = |text: &str| format!("{head}{text}\n");
    for (texts, wrong) in [(faults, true), (right, false)] {
        for text in texts {
            let yaml = files(text);
            let package: &[(&str, &str)] = &[("problem.yaml", &yaml)];
            if wrong {
                check(rule, severity, &[package], &[]);
            } else {
                check(rule, severity, &[], &[package]);
            }
        }
    }
}

const OLD: &str = "name: X\n";

#[test]
fn people_are_read() {
    check_yaml(
        NEW,
        "unknown-key",
        Error,
        &["credits: {author: A}", "credits: {authors: {name: A, mail: b}}"],
        &[
            "credits: {authors: A, contributors: [B, {name: C, email: c, orcid: d, kattis: e}], testers: [F], packagers: G, acknowledgements: H, translators: {sv: I, pt-BR: [J]}}",
            "credits: A <a@example.com>",
        ],
    );
    check_yaml(
        NEW,
        "wrong-type",
        Error,
        &["credits: [A, B]", "credits: {translators: [X]}", "rights_owner: [A]", "source: {name: [a]}"],
        &["credits: A"],
    );
    check_yaml(
        NEW,
        "person",
        Error,
        &["credits: {authors: []}", "credits: {authors: ['']}"],
        &["credits: {authors: [A]}"],
    );
    check_yaml(
        NEW,
        "missing-key",
        Error,
        &["credits: {authors: {email: a}}", "source: [{url: a}]"],
        &["source: [{name: a}, b]"],
    );
    check_yaml(NEW, "source", Error, &["source: []"], &["source: [a]", "source: a"]);
    check_yaml(OLD, "wrong-type", Error, &["author: [A, B]"], &["author: A and B"]);
    let settings = |text: &'static str| -> [(&'static str, &'static str); 2] {
        [("problem.yaml", NEW), ("submissions/submissions.yaml", text)]
    };
    check(
        "missing-key",
        Error,
        &[&settings("accepted/*: {authors: [{email: a}]}\n")],
        &[&settings("accepted/*: {authors: []}\n")],
    );
}

#[test]
fn only_authors_and_sources_own_rights() {
    let license = |text: &str| format!("license: cc by-sa\n{text}");
    let texts = |list: &[&str]| list.iter().map(|text| license(text)).collect::<Vec<_>>();
    let (wrong, right) = (
        texts(&["credits: {testers: T}", "source: ''", ""]),
        texts(&[
            "credits: T",
            "credits: {authors: [A]}",
            "source: S",
            "rights_owner: R",
            "source: [{name: S}]",
        ]),
    );
    let refs = |list: &'_ [String]| list.iter().map(|text| text.clone().leak() as &str).collect::<Vec<_>>();
    check_yaml(NEW, "rights-owner", Error, &refs(&wrong), &refs(&right));
    check_yaml(NEW, "rights-owner", Warning, &["rights_owner: ''"], &["rights_owner: A"]);
    check_yaml(
        OLD,
        "rights-owner",
        Error,
        &["author: ''\nlicense: permission"],
        &["author: A\nlicense: permission", "author: ''", "rights_owner: ''"],
    );
    check_yaml(
        OLD,
        "source-url",
        Error,
        &["author: A\nsource_url: u", "source: ''\nsource_url: u"],
        &["source: S\nsource_url: u"],
    );
}

#[test]
fn values_of_the_metadata() {
    check_yaml(
        "problem_format_version: 2025-09\nuuid: 2e1f6f5c-7a44-4c7b-8d3b-5a3a4de1f001\n",
        "missing-key",
        Error,
        &["name: {}", "name: ''", "name: ' '"],
        &["name: A", "name: {en: A}"],
    );
    check_yaml(
        NEW,
        "date-form",
        Error,
        &["embargo_until: 2026-02-30", "embargo_until: 2026-04-31", "embargo_until: 2100-02-29"],
        &["embargo_until: 2028-02-29", "embargo_until: 2026-02-28"],
    );
    // The format itself says that this value is a date.
    check_yaml(
        NEW,
        "yaml-versions-differ",
        Warning,
        &["version: 2026-02-28"],
        &["embargo_until: 2026-02-28"],
    );
    check_yaml(
        NEW,
        "languages",
        Warning,
        &["languages: [all, cpp]"],
        &["languages: all", "languages: [all]", "languages: [python3]"],
    );
}

#[test]
fn files_of_the_other_version_are_told() {
    let old = ("problem.yaml", OLD);
    let new = ("problem.yaml", NEW);
    check(
        "other-version",
        Warning,
        &[
            &[old, ("data/secret/01.yaml", "args: [a]\n")],
            &[old, ("data/secret/01.out", "1\n")],
            &[old, ("data/secret/01.files/a.txt", "1\n")],
            &[new, ("data/secret/01.hint", "look\n")],
            &[new, ("data/secret/01.desc", "look\n")],
        ],
        &[
            &[
                old,
                ("data/secret/01.hint", "look\n"),
                ("data/secret/01.desc", "a\n"),
                ("data/secret/01.png", "a\n"),
            ],
            &[
                new,
                ("data/secret/01.yaml", "hint: look\n"),
                ("data/secret/01.files/a.txt", "1\n"),
                ("data/secret/01.png", "a\n"),
            ],
        ],
    );
    check(
        "old-name",
        Error,
        &[
            &[old, ("data/secret/g1/test_group.yaml", "max_score: 5\n")],
            &[new, ("data/invalid_input/testdata.yaml", "on_reject: break\n")],
        ],
        &[&[old, ("data/secret/testdata.yaml", "on_reject: break\n")]],
    );
    let icpc = ("problem.yaml", "problem_format_version: legacy-icpc\nname: X\n");
    check(
        "not-in-icpc",
        Warning,
        &[&[icpc, ("data/secret/g1/02.in", "1\n"), ("data/secret/g1/02.ans", "1\n")]],
        &[&[icpc], &[old, ("data/secret/g1/02.in", "1\n")]],
    );
    check(
        "not-in-icpc",
        Error,
        &[&[icpc, ("submissions/partially_accepted/a.py", "x\n")]],
        &[&[old, ("submissions/partially_accepted/a.py", "x\n")]],
    );
}

#[test]
fn files_of_cases() {
    let new = ("problem.yaml", NEW);
    check(
        "file-name",
        Error,
        &[&[new, ("data/secret/test_group.in", "1\n"), ("data/secret/test_group.ans", "1\n")]],
        &[&[new]],
    );
    check(
        "file-name",
        Warning,
        &[&[new, ("data/secret/01.files", "1\n")], &[new, ("data/secret/03.in/a.txt", "1\n")]],
        &[&[new, ("data/secret/order/03.in", "1\n"), ("data/secret/01.files/a.in", "1\n")]],
    );
    let talk: &str = &format!("{NEW}type: [interactive, multi-pass]\n");
    let talk = ("problem.yaml", talk);
    check(
        "interaction-lines",
        Warning,
        &[
            &[new, ("data/secret/01.interaction", "<1\n2\n")],
            &[new, ("data/secret/01.interaction", "<1\n---\n>1\n")],
        ],
        &[
            &[new, ("data/secret/01.interaction", "<1\n>2\n\n")],
            &[talk, ("data/secret/01.interaction", "<1\n---\n>2\n")],
        ],
    );
    let small: &str = &format!("{NEW}limits: {{output: 1}}\n");
    let small = ("problem.yaml", small);
    let (large, fits) = ("1\n".repeat((1 << 19) + 1), "1\n".repeat(1 << 19));
    let with = |text| [small, ("data/secret/02.in", "1\n"), ("data/secret/02.ans", text)];
    let own = [with(&large).as_slice(), &[("output_validator/v.py", "x\n")]].concat();
    check("output-limit", Warning, &[&with(&large)], &[&with(&fits), &own]);
}

#[test]
fn cases_for_validators_are_cases() {
    let new = ("problem.yaml", NEW);
    let whole = [
        ("data/invalid_output/1.in", "1\n"),
        ("data/invalid_output/1.ans", "1\n"),
        ("data/invalid_output/1.out", "2\n"),
    ];
    let with = |more: &[(&'static str, &'static str)]| [&[new], whole.as_slice(), more].concat();
    check(
        "no-input",
        Error,
        &[&with(&[("data/invalid_output/2.ans", "1\n"), ("data/invalid_output/2.out", "1\n")])],
        &[&with(&[])],
    );
    check("unused-file", Severity::Info, &[&with(&[("data/invalid_output/1.txt", "1\n")])], &[&with(&[])]);
    check(
        "unused-file",
        Warning,
        &[&with(&[("data/invalid_input/1.in", "1\n"), ("data/invalid_input/1.ans", "1\n")])],
        &[&with(&[("data/invalid_input/1.in", "1\n")])],
    );
    let bad = ("data/invalid_output/test_group.yaml", "\noutput_validator_args: [float_tolerance]\n");
    let good = ("data/invalid_output/test_group.yaml", "output_validator_args: [float_tolerance, '1']\n");
    check("validator-flags", Error, &[&with(&[bad])], &[&with(&[good])]);
    let own = ("output_validator/v.py", "x\n");
    check("validator-flags", Error, &[], &[&with(&[bad, own])]);
}

#[test]
fn arguments_are_told_where_they_are_set() {
    let place = |files: &[(&str, &str)], rule: &str| {
        let found = told(&with_cases(files, &["sample/01", "secret/g/01"]), rule);
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].1.split(": ").next().unwrap().to_owned()
    };
    let (new, old) = (("problem.yaml", NEW), ("problem.yaml", OLD));
    let group = "data/secret/test_group.yaml";
    assert_eq!(
        place(&[new, (group, "\noutput_validator_args: [x]\n")], "validator-flags"),
        format!("{group}:2")
    );
    assert_eq!(
        place(&[new, (group, "input_validator_args: {w: [x]}\n")], "validator-name"),
        format!("{group}:1")
    );
    let case = "data/secret/g/01.yaml";
    assert_eq!(place(&[new, (case, "output_validator_args: [x]\n")], "validator-flags"), format!("{case}:1"));
    let yaml = ("problem.yaml", "name: X\nvalidator_flags: x\n");
    assert_eq!(
        place(&[yaml, ("data/testdata.yaml", "output_validator_flags: case_sensitive\n")], "validator-flags"),
        "problem.yaml:2"
    );
    let group = "data/secret/testdata.yaml";
    assert_eq!(
        place(&[old, (group, "output_validator_flags: x\n")], "validator-flags"),
        format!("{group}:1")
    );
    assert_eq!(
        place(&[old, (group, "input_validator_flags: {name: w, flags: x}\n")], "validator-name"),
        format!("{group}:1")
    );
    let custom = [("problem.yaml", "name: X\nvalidation: custom\n"), ("output_validators/v.py", "x\n")];
    let named = [custom.as_slice(), &[(group, "output_validator_flags: {name: w, flags: x}\n")]].concat();
    assert_eq!(place(&named, "validator-name"), format!("{group}:1"));
    for key in ["input_validator_flags", "output_validator_flags"] {
        let text = format!("{key}: {{flags: x}}\n");
        assert_eq!(place(&[old, (group, &text)], "missing-key"), format!("{group}:1"));
    }
}

#[test]
fn groups_without_cases_are_told() {
    let old = ("problem.yaml", OLD);
    check(
        "empty-group",
        Warning,
        &[&[old, ("data/secret/g/testdata.yaml", "on_reject: break\n")]],
        &[
            &[old, ("data/secret/g/h/01.in", "1\n"), ("data/secret/g/h/01.ans", "1\n")],
            &[old, ("data/sample/01.interaction", "<1\n")],
        ],
    );
}

#[test]
fn expectations_that_nothing_can_meet() {
    let with = |settings: &'static str| -> [(&'static str, &'static str); 2] {
        [("problem.yaml", NEW), ("submissions/submissions.yaml", settings)]
    };
    check(
        "expectations",
        Error,
        &[
            &with("accepted/a.py: {required: [WA]}\n"),
            &with("accepted/a.py: {use_for_time_limit: upper}\n"),
            &with("accepted/a.py: {secret: {required: [TLE]}}\n"),
            &with(
                "'*/a.py': {required: [WA, TLE]}\naccepted: {permitted: [AC, WA]}\naccepted/*: {permitted: [AC, RTE]}\n",
            ),
        ],
        &[
            &with("accepted: {permitted: [AC, WA], required: [WA]}\n"),
            &with("accepted/a.py: {required: [AC]}\n"),
            &with(
                "accepted: {permitted: [AC, TLE]}\naccepted/a.py: {secret: {required: [TLE]}, sample: {permitted: [AC]}}\n",
            ),
            &with("accepted/a.py: {use_for_time_limit: lower}\n"),
        ],
    );
    check(
        "entry-point",
        Error,
        &[&with("accepted/a.py: {entrypoint: nope.py}\n")],
        &[&with("accepted/a.py: {entrypoint: a.py}\n")],
    );
    let java = |settings: &'static str| {
        [with(settings).as_slice(), &[("submissions/accepted/b.java", "x\n")]].concat()
    };
    check("entry-point", Error, &[], &[&java("accepted/b.java: {entrypoint: Other}\n")]);
    let folder =
        |settings: &'static str| [with(settings).as_slice(), &[("submissions/acepted/b.py", "x\n")]].concat();
    check(
        "submission-folder",
        Warning,
        &[&folder("accepted: {permitted: [AC]}\n")],
        &[
            &folder("acepted: {permitted: [AC]}\n"),
            &folder("'{acepted,other}/*': {permitted: [AC]}\n"),
            &[("problem.yaml", NEW), ("submissions/brute_force/b.py", "x\n")],
        ],
    );
}

#[test]
fn programs_of_several_python_files_start_in_main() {
    let new = ("problem.yaml", NEW);
    let of = |folder: &str, names: &[&str]| -> Vec<(&'static str, &'static str)> {
        let paths = names.iter().map(|name| format!("{folder}/{name}").leak() as &str);
        std::iter::once(new).chain(paths.map(|path| (path, "x\n"))).collect()
    };
    check(
        "entry-point",
        Error,
        &[&of("input_validators/v", &["a.py", "b.py"]), &of("output_validator", &["a.py", "b.py"])],
        &[
            &of("output_validator", &["__init__.py", "__main__.py", "b.py"]),
            &of("output_validator", &["a.py"]),
            &of("output_validator", &["a.cpp", "b.cpp"]),
            &of("output_validator", &["run", "a.py", "b.py"]),
        ],
    );
    check("entry-point", Warning, &[&of("output_validator", &["main.py", "b.py"])], &[]);
    let old = [("problem.yaml", OLD), ("input_validators/v/a.py", "x\n"), ("input_validators/v/b.py", "x\n")];
    check("entry-point", Error, &[], &[&old]);
}

#[test]
fn texts_about_the_problem() {
    let new = ("problem.yaml", NEW);
    let sample = [("data/sample/1.in", "1\n"), ("data/sample/1.ans", "1\n")];
    let with = |path: &'static str, text: &'static str| [&[new, (path, text)], sample.as_slice()].concat();
    check(
        "samples",
        Error,
        &[
            &with("statement/problem.en.md", "{{nextsample}}\n\n{{nextsample}}\n"),
            &with("statement/problem.en.tex", "\\nextsample\n\\nextsample\n"),
        ],
        &[
            &with("statement/problem.en.md", "{{nextsample}}\n{{remainingsamples}}\n"),
            &with("statement/problem.en.tex", "\\nextsample\n% \\nextsample\n5\\% \\remainingsamples\n"),
        ],
    );
    check(
        "no-solution",
        Warning,
        &[&[new, ("solution/notes.md", "x\n")]],
        &[
            &[new, ("solution/solution.tex", "x\n")],
            &[new, ("solution/solution.pt-BR.md", "x\n"), ("solution/figure.png", "x\n")],
        ],
    );
    let old = |text: &'static str| [("problem.yaml", OLD), ("problem_statement/problem.en.tex", text)];
    check(
        "problem-name",
        Severity::Info,
        &[&old("Add.\n")],
        &[&old("\\problemname{X}\nAdd.\n"), &old("\\input{text}\n")],
    );
}
