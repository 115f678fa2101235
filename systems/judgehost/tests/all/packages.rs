//! Archives and folders that are opened, and those that are refused.

use std::io::Write as _;

use fablegrade_judgehost::{Config, Entry, File, FileLimits, Files, Manner, Package, content_id, distribute};
use flate2::{Compression, write::GzEncoder};

use super::{Draft, files, found, has, package};

const DOCKERFILES: [(&str, &str); 2] = [("submission/Dockerfile", "FROM x"), ("tester/Dockerfile", "FROM x")];

/// Builds a `.tar.gz` from entries: path, type, content.
fn tar_gz(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (path, kind, content) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        // The name is written directly: `set_path` would refuse it before the code under test does.
        let name = &mut header.as_old_mut().name;
        name[..path.len()].copy_from_slice(path.as_bytes());
        if kind.is_symlink() || kind.is_hard_link() {
            header.set_link_name("config.json").unwrap();
        }
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

fn zip(entries: &[(&str, u32, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, mode, content) in entries {
        let options = zip::write::SimpleFileOptions::default().unix_permissions(*mode);
        if *mode == 0o120_777 {
            writer.add_symlink(*path, "config.json", options).unwrap();
        } else {
            writer.start_file(*path, options).unwrap();
            writer.write_all(content).unwrap();
        }
    }
    writer.finish().unwrap().into_inner()
}

fn refusal(bytes: &[u8]) -> &'static str {
    Files::from_archive(bytes, FileLimits::default()).expect_err("a refusal").rule()
}

#[test]
fn one_package_in_all_its_forms() {
    let config = Draft::default().text("", "");
    let plain: Vec<(&str, &str)> =
        [("config.json", config.as_str())].into_iter().chain(DOCKERFILES).collect();
    for wrap in ["", "two-sum/"] {
        let paths: Vec<String> = plain.iter().map(|(path, _)| format!("{wrap}{path}")).collect();
        let entries: Vec<_> =
            paths.iter().zip(&plain).map(|(path, (_, text))| (path.as_str(), text.as_bytes())).collect();
        let tar: Vec<_> =
            entries.iter().map(|(path, text)| (*path, tar::EntryType::Regular, *text)).collect();
        let zipped: Vec<_> = entries.iter().map(|(path, text)| (*path, 0o644, *text)).collect();
        for bytes in [tar_gz(&tar), zip(&zipped)] {
            let opened = Package::from_archive(&bytes, FileLimits::default(), Manner::Strict).unwrap();
            assert_eq!(opened.config.problem_id, "two-sum");
            assert!(opened.files.get("tester/Dockerfile").is_some());
        }
    }
    let two = files(&[("a/config.json", &config), ("b/config.json", &config)]);
    assert_eq!(Package::open(two, Manner::Strict).unwrap_err().rule(), "no-config");
    assert_eq!(Package::open(Files::default(), Manner::Strict).unwrap_err().rule(), "empty-package");
    let mac = files(&[("x/config.json", &config), ("__MACOSX/x/._config.json", "")]);
    assert_eq!(Package::open(mac, Manner::Strict).unwrap_err().rule(), "no-dockerfile");
}

#[test]
fn ways_out_links_and_doubles_are_refused() {
    use tar::EntryType;
    let file = EntryType::Regular;
    for path in ["../x", "a/../../x", "/etc/passwd", "a\\..\\x", "C:/x"] {
        assert_eq!(refusal(&tar_gz(&[(path, file, b"x")])), "path-escape", "{path}");
        assert_eq!(refusal(&zip(&[(path, 0o644, b"x")])), "path-escape", "{path}");
    }
    for kind in [EntryType::Symlink, EntryType::Link] {
        assert_eq!(refusal(&tar_gz(&[("config.json", file, b"{}"), ("x", kind, b"")])), "link");
    }
    for kind in [EntryType::Char, EntryType::Block, EntryType::Fifo] {
        assert_eq!(refusal(&tar_gz(&[("x", kind, b"")])), "special-file");
    }
    assert_eq!(refusal(&zip(&[("x", 0o120_777, b"config.json")])), "link");
    assert_eq!(refusal(&tar_gz(&[("a", file, b"1"), ("./a", file, b"2")])), "repeated-path");
    assert_eq!(refusal(&tar_gz(&[("a", file, b"1"), ("a/b", file, b"2")])), "repeated-path");
    assert_eq!(refusal(&tar_gz(&[("a/b", file, b"1"), ("a", file, b"2")])), "repeated-path");
    // A zip writer refuses a second entry of the same name, so one is renamed in the finished archive.
    let mut doubled = zip(&[("aa", 0o644, b"1"), ("ab", 0o644, b"2")]);
    while let Some(at) = doubled.windows(2).position(|two| two == b"ab") {
        doubled[at + 1] = b'a';
    }
    assert_eq!(refusal(&doubled), "repeated-path");
    let error = Files::from_archive(&doubled, FileLimits::default()).expect_err("a refusal");
    assert_eq!(error.findings()[0].pointer, "/aa");
    let link = Files::from_entries([("x".to_owned(), Entry::Link)], FileLimits::default());
    assert_eq!(link.unwrap_err().rule(), "link");
}

#[test]
fn bombs_are_stopped_at_the_limits() {
    let mut limits = FileLimits::default();
    limits.bytes = 1 << 20;
    let zeros = vec![0u8; 8 << 20];
    let bomb = tar_gz(&[("zeros", tar::EntryType::Regular, &zeros)]);
    assert!(bomb.len() < 256 << 10);
    assert_eq!(Files::from_archive(&bomb, limits).unwrap_err().rule(), "too-large");
    let bomb = zip(&[("zeros", 0o644, &zeros)]);
    assert!(bomb.len() < 256 << 10);
    assert_eq!(Files::from_archive(&bomb, limits).unwrap_err().rule(), "too-large");
    let halves = zip(&[("a", 0o644, &zeros[..700 << 10]), ("b", 0o644, &zeros[..700 << 10])]);
    assert_eq!(Files::from_archive(&halves, limits).unwrap_err().rule(), "too-large");

    let paths: Vec<String> = (0..50).map(|at| format!("f{at}")).collect();
    let many: Vec<_> = paths.iter().map(|path| (path.as_str(), 0o644, &b""[..])).collect();
    limits.entries = 49;
    assert_eq!(Files::from_archive(&zip(&many), limits).unwrap_err().rule(), "too-many-files");
    let many: Vec<_> = paths.iter().map(|path| (path.as_str(), tar::EntryType::Regular, &b""[..])).collect();
    assert_eq!(Files::from_archive(&tar_gz(&many), limits).unwrap_err().rule(), "too-many-files");
    let deep = format!("{}x", "d/".repeat(40));
    limits.depth = 40;
    assert_eq!(Files::from_archive(&zip(&[(&deep, 0o644, b"")]), limits).unwrap_err().rule(), "too-deep");
    limits.archive_bytes = 10;
    assert_eq!(Files::from_archive(&zip(&[]), limits).unwrap_err().rule(), "too-large");
}

#[test]
fn what_is_damaged_is_refused() {
    assert_eq!(refusal(b"hello"), "archive-form");
    assert_eq!(refusal(b""), "archive-form");
    let whole = tar_gz(&[("a", tar::EntryType::Regular, &[7; 4_000])]);
    assert_eq!(refusal(&whole[..whole.len() / 2]), "archive-damaged");
    let whole = zip(&[("a", 0o644, b"content")]);
    assert_eq!(refusal(&whole[..whole.len() - 10]), "archive-damaged");
}

#[test]
fn files_that_the_configuration_names_must_be_there() {
    let config = Draft::default()
        .text("", r#""mounts": [{"type": "bind", "source": "tester/cases", "destination": "/cases"}]"#);
    let error = package(&config, &[]).unwrap_err();
    assert_eq!(found(error.findings())[..1], [("no-source", "/containers/1/mounts/0/source")]);
    assert!(package(&config, &[("tester/cases/1.txt", "1")]).is_ok());
    let config = Draft::default().text("", "").replace("tester/Dockerfile", "tester/dockerfile");
    assert!(has(
        package(&config, &[]).unwrap_err().findings(),
        "no-dockerfile",
        "/containers/1/dockerfile_path"
    ));
}

fn several() -> Config {
    let more = r#""submission_packages": [{"package_id": "front", "container_id": "submission", "extract_path": "/app/front"},
        {"package_id": "back", "container_id": "tester", "extract_path": "/"}]"#;
    let text = Draft { more, ..Draft::default() }.text("", r#""accepts_submission": true"#);
    Config::parse(text.as_bytes(), Manner::Strict).unwrap().config
}

#[test]
fn submissions_are_distributed() {
    let config = Draft::default().read(Manner::Strict).unwrap().config;
    let deliveries = distribute(&config, &files(&[("src/solution.py", "x"), ("README.md", "")])).unwrap();
    assert_eq!(
        (deliveries[0].package_id.as_str(), deliveries[0].container_id.as_str()),
        ("main", "submission")
    );
    assert!(deliveries[0].files.get("src/solution.py").is_some());

    let deliveries = distribute(&several(), &files(&[("front/a.js", "a"), ("back/b.py", "b")])).unwrap();
    let paths: Vec<Vec<&str>> =
        deliveries.iter().map(|delivery| delivery.files.iter().map(|(path, _)| path).collect()).collect();
    assert_eq!(paths, [["a.js"], ["b.py"]]);
    let error = distribute(&several(), &files(&[("front/a.js", "a"), ("other/b.py", "b")])).unwrap_err();
    assert_eq!(
        error.findings().iter().map(|finding| finding.rule).collect::<Vec<_>>(),
        ["missing-package", "unknown-package"]
    );
    assert_eq!(distribute(&config, &Files::default()).unwrap_err().rule(), "missing-package");
    let text = Draft::default()
        .text("", "")
        .replace("\"accepts_submission\": true", "\"accepts_submission\": false");
    let nobody = Config::parse(text.as_bytes(), Manner::Strict).unwrap().config;
    assert_eq!(distribute(&nobody, &files(&[("a", "")])).unwrap_err().rule(), "no-submission");
}

#[test]
fn a_submission_cannot_bring_its_own_results() {
    let config = Draft::default().read(Manner::Strict).unwrap().config;
    for path in ["out/rubric_correctness.json", "data/cases.txt", "hooks/post/01_test.sh", "proc/x"] {
        assert_eq!(
            distribute(&config, &files(&[(path, "{}")])).unwrap_err().rule(),
            "reserved-path",
            "{path}"
        );
    }
    // If the package is extracted to another folder than `/`, such names are harmless.
    assert!(distribute(&several(), &files(&[("front/out/x", ""), ("back/b", "")])).is_ok());
}

#[test]
fn the_id_of_a_submission_follows_from_its_files() {
    let id = |path, text| content_id(&files(&[(path, text)]));
    assert_eq!(id("a", "x"), id("a", "x"));
    assert_ne!(id("a", "x"), id("b", "x"));
    assert_ne!(id("ab", "c"), id("a", "bc"));
    assert!(id("a", "x").starts_with("sub_") && id("a", "x").len() == 28);
    let executable = Files::from_entries(
        [("a".to_owned(), Entry::File(File { bytes: b"x".into(), executable: None }))],
        FileLimits::default(),
    );
    assert_eq!(content_id(&executable.unwrap()), id("a", "x"));
}
