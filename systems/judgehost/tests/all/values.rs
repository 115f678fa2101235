//! Memory, ports, names and paths: accepted and refused forms.

use fablegrade_judgehost::memory::{self, MemoryProblem, bytes};
use fablegrade_judgehost::name::{self, PathProblem, container_path, package_path};
use fablegrade_judgehost::port::{Port, Protocol};
use proptest::prelude::*;

use super::{Draft, refused};

const MIB: u64 = 1 << 20;

#[test]
fn amounts_of_memory() {
    for (text, expected) in [
        ("512m", 512 * MIB),
        ("512M", 512 * MIB),
        ("512mb", 512 * MIB),
        ("512MB", 512 * MIB),
        ("512mi", 512 * MIB),
        ("512MiB", 512 * MIB),
        ("512 m", 512 * MIB),
        ("512\tMiB", 512 * MIB),
        ("2g", 2048 * MIB),
        ("2gb", 2048 * MIB),
        ("2GB", 2048 * MIB),
        ("1.5GiB", 1536 * MIB),
        ("0.5g", 512 * MIB),
        ("1t", 1 << 40),
        ("16t", 16 << 40),
        ("8388608", 8 * MIB),
        ("8388608b", 8 * MIB),
        ("8388608 B", 8 * MIB),
        ("8388608 ", 8 * MIB),
        ("8388608.9b", 8 * MIB),
        ("8192k", 8 * MIB),
        ("8192KB", 8 * MIB),
        ("8192kib", 8 * MIB),
        ("6m", 6 * MIB),
        ("0512m", 512 * MIB),
    ] {
        assert_eq!(bytes(text), Ok(expected), "{text:?}");
    }
    for text in [
        "",
        " ",
        "m",
        "gb",
        "-512m",
        "+512m",
        "512 megabytes",
        "512mm",
        "512bm",
        "512bi",
        "512ib",
        "512 m b",
        " 512m",
        "512m ",
        "1,5g",
        "1.g",
        ".5g",
        "1..5g",
        "1.5.5g",
        "1e9",
        "0x200m",
        "512p",
        "512e",
        "five",
        "512\u{a0}m",
        "٥m",
        "512m\0",
        "unlimited",
        "max",
        "1/2g",
        "512mib/s",
        "99999999999999999999999999999999999999999m",
    ] {
        assert_eq!(bytes(text), Err(MemoryProblem::Form), "{text:?}");
    }
    for text in ["0", "0g", "1b", "1k", "5m", "5.9m", "6291455", "0.005g"] {
        assert_eq!(bytes(text), Err(MemoryProblem::Little), "{text:?}");
    }
    for text in ["17t", "16.001t", "17592186044417", "999999999999999999999t"] {
        assert_eq!(bytes(text), Err(MemoryProblem::Much), "{text:?}");
    }
}

#[test]
fn memory_that_is_no_text_is_refused_and_never_replaced() {
    refused(
        Draft::with_tester(r#""resource_limits": {"memory": 512}"#),
        "wrong-type",
        "/containers/1/resource_limits/memory",
    );
    refused(
        Draft::with_tester(r#""resource_limits": {"memory": "2 gigs"}"#),
        "memory-form",
        "/containers/1/resource_limits/memory",
    );
    refused(
        Draft::with_tester(r#""resource_limits": {"memory": "4m"}"#),
        "memory-range",
        "/containers/1/resource_limits/memory",
    );
    let config = Draft::with_tester(r#""resource_limits": {"memory": "2gb"}"#).unwrap().config;
    assert_eq!(config.containers[1].limits.memory, Some(2 << 30));
}

#[test]
fn ports() {
    for (text, number, protocol) in [
        ("8080", 8080, Protocol::Tcp),
        ("1", 1, Protocol::Tcp),
        ("65535", 65535, Protocol::Tcp),
        ("5432/tcp", 5432, Protocol::Tcp),
        ("53/udp", 53, Protocol::Udp),
    ] {
        assert_eq!(Port::parse(text), Some(Port { number, protocol }), "{text}");
    }
    for text in [
        "",
        "0",
        "00",
        "080",
        "65536",
        "99999999999",
        "-1",
        "+80",
        "80.0",
        "8080:80",
        "127.0.0.1:80:80",
        "80-90",
        " 80",
        "80 ",
        "http",
        "80/",
        "/tcp",
        "80/TCP",
        "80/sctp",
        "80/tcp/udp",
        "８０",
    ] {
        assert_eq!(Port::parse(text), None, "{text:?}");
    }
    refused(Draft::with_tester(r#""ports": ["8080:80"]"#), "port-form", "/containers/1/ports/0");
    refused(Draft::with_tester(r#""ports": [8080]"#), "wrong-type", "/containers/1/ports/0");
}

#[test]
fn names() {
    for id in ["two-sum", "abc", "a1-", &"a".repeat(64)] {
        assert!(name::is_problem_id(id), "{id}");
    }
    for id in
        ["", "a", "ab", "Two-Sum", "two_sum", "2sum", "-sum", "two sum", "twó", "two-sum\n", &"a".repeat(65)]
    {
        assert!(!name::is_problem_id(id), "{id:?}");
    }
    for id in ["a", "api-server", "api_tester", "E2E", "db1", &"x".repeat(64)] {
        assert!(name::is_id(id), "{id}");
    }
    for id in ["", "1db", "_db", "-db", "a b", "a.b", "a/b", "a\n", "ä", &"x".repeat(65)] {
        assert!(!name::is_id(id), "{id:?}");
    }
    for name in ["PATH", "_x", "DB_HOST2", "lower"] {
        assert!(name::is_variable(name), "{name}");
    }
    for name in ["", "2X", "A-B", "A B", "A=B", "Ä"] {
        assert!(!name::is_variable(name), "{name:?}");
    }
    assert_eq!(name::capability("CAP_NET_BIND_SERVICE"), Some("NET_BIND_SERVICE"));
    assert_eq!(name::capability("sys_admin"), Some("SYS_ADMIN"));
    for name in ["", "CAP_", "CAP_EVERYTHING", "CAP_CAP_SYS_ADMIN", "SYS ADMIN"] {
        assert_eq!(name::capability(name), None, "{name:?}");
    }
}

#[test]
fn paths() {
    for (text, clean) in
        [("a/b", "a/b"), ("./a/./b/", "a/b"), (".", ""), ("./", ""), ("a..b/c", "a..b/c"), ("...", "...")]
    {
        assert_eq!(package_path(text).as_deref(), Ok(clean), "{text}");
    }
    for (text, problem) in [
        ("", PathProblem::Empty),
        ("/a", PathProblem::Absolute),
        ("C:/a", PathProblem::Absolute),
        ("..", PathProblem::Escape),
        ("../a", PathProblem::Escape),
        ("a/../b", PathProblem::Escape),
        ("a/..", PathProblem::Escape),
        ("a//b", PathProblem::Odd),
        ("a\\b", PathProblem::Odd),
        ("a\nb", PathProblem::Odd),
        ("a\0b", PathProblem::Odd),
    ] {
        assert_eq!(package_path(text), Err(problem), "{text:?}");
    }
    assert_eq!(package_path(&"a".repeat(1_025)), Err(PathProblem::Long));
    for (text, clean) in [("/", "/"), ("/a/b/", "/a/b"), ("/./a", "/a")] {
        assert_eq!(container_path(text).as_deref(), Ok(clean), "{text}");
    }
    for (text, problem) in [
        ("a", PathProblem::Relative),
        ("", PathProblem::Empty),
        ("/../a", PathProblem::Escape),
        ("//a", PathProblem::Odd),
    ] {
        assert_eq!(container_path(text), Err(problem), "{text:?}");
    }
}

proptest! {
    #[test]
    fn a_shown_amount_reads_back(amount in memory::LEAST..=memory::MOST) {
        prop_assert_eq!(bytes(&memory::text(amount)), Ok(amount));
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,40}") {
        let _ = (bytes(&text), Port::parse(&text), package_path(&text), container_path(&text), name::capability(&text));
    }

    #[test]
    fn a_clean_path_stays_below_its_root(text in "[a./\\\\]{0,12}") {
        if let Ok(clean) = package_path(&text) {
            prop_assert!(clean.split('/').all(|step| step != ".." && step != "."), "{}", clean);
            prop_assert!(!clean.starts_with('/'));
        }
    }
}
