//! Checks that the committed header is up to date and its comments are complete.
// Tests can panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn committed() -> String {
    fs::read_to_string(folder().join("include/fablegrade.h")).unwrap_or_default()
}

/// Returns the declarations of the header, each with the comment before it.
fn declarations(header: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (mut comment, mut code, mut commented) = (String::new(), String::new(), false);
    for line in header.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("/*") {
            comment.clear();
            commented = true;
        }
        if commented {
            comment.push_str(trimmed.trim_start_matches(['/', '*', ' ']));
            comment.push('\n');
            commented = !trimmed.ends_with("*/");
            continue;
        }
        if trimmed.is_empty() || trimmed.starts_with('#') && !trimmed.starts_with("#define FG_") {
            continue;
        }
        code.push_str(trimmed);
        let whole = trimmed.ends_with([';', ',', '{', '}']) || trimmed.starts_with("#define");
        if whole && (code.contains(';') || code.ends_with(',') && !code.contains('(') || !code.contains('('))
        {
            found.push((std::mem::take(&mut code), std::mem::take(&mut comment)));
        }
    }
    found
}

#[test]
fn the_committed_header_is_what_the_source_says() {
    let config = cbindgen::Config::from_file(folder().join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    cbindgen::Builder::new().with_crate(folder()).with_config(config).generate().unwrap().write(&mut made);
    let made = String::from_utf8(made).unwrap();
    if std::env::var_os("UPDATE_HEADER").is_some() {
        fs::write(folder().join("include/fablegrade.h"), &made).unwrap();
    }
    assert!(
        made == committed(),
        "include/fablegrade.h is out of date: UPDATE_HEADER=1 cargo test -p fablegrade-capi --test header"
    );
}

#[test]
fn every_item_of_the_header_is_documented() {
    let header = committed();
    let all = declarations(&header);
    let functions: Vec<_> =
        all.iter().filter(|(code, _)| code.contains('(') && code.ends_with(");")).collect();
    assert!(functions.len() >= 25, "{}", functions.len());
    for (code, comment) in &functions {
        for word in ["Ownership:", "NULL:", "Threads:"] {
            assert!(
                comment.contains(word),
                "the comment of this function lacks `{word}`:\n{code}\n{comment}"
            );
        }
    }
    let types: Vec<_> = all.iter().filter(|(code, _)| code.starts_with("typedef struct")).collect();
    assert_eq!(types.len(), 11, "{types:?}");
    for (code, comment) in &types {
        for word in ["Ownership:", "Threads:"] {
            assert!(comment.contains(word), "the comment of this type lacks `{word}`:\n{code}\n{comment}");
        }
    }
    let items = all.iter().filter(|(code, _)| {
        code.starts_with("#define") || code.ends_with(',') || code.contains("size_t ") && !code.contains('(')
    });
    let mut count = 0;
    for (code, comment) in items {
        count += 1;
        assert!(!comment.trim().is_empty(), "this item has no comment:\n{code}");
    }
    assert!(count > 30, "{count}");
}

#[test]
fn every_function_of_the_source_is_in_both_headers() {
    let wrapped = fs::read_to_string(folder().join("include/fablegrade.hpp")).unwrap();
    let header = committed();
    let mut count = 0;
    for file in fs::read_dir(folder().join("src")).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        for piece in source.split("extern \"C\" fn ").skip(1) {
            let name = piece.split('(').next().unwrap();
            if name.starts_with("fg_test_") {
                continue;
            }
            count += 1;
            assert!(header.contains(&format!("{name}(")), "{name} is not in fablegrade.h");
            assert!(wrapped.contains(name), "{name} is not used by fablegrade.hpp");
        }
    }
    assert!(count >= 25, "{count}");
}

/// Returns the rules of the findings that a source file creates.
fn rules(source: &str) -> Vec<&str> {
    // A rule that is not a literal is passed on from elsewhere.
    let made = source.split("Finding::error(").skip(1).filter_map(|call| {
        let call = call.trim_start().strip_prefix('"')?;
        call.split('"').next()
    });
    let ours = source.split("refuse(").skip(1).filter_map(|call| {
        let (status, rest) = call.split_once(',')?;
        status.trim().starts_with("fg_status::").then(|| rest.split('"').nth(1))?
    });
    ours.chain(made).collect()
}

#[test]
fn every_rule_of_the_library_is_in_a_page() {
    let page = |name: &str| fs::read_to_string(folder().join("../docs").join(name)).unwrap();
    let (own, documents) = (page("c.md"), page("lint.md"));
    let mut all = std::collections::BTreeSet::new();
    for file in fs::read_dir(folder().join("src")).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        for rule in rules(&source) {
            assert!(
                own.contains(&format!("| `{rule}` |")) || documents.contains(&format!("### `{rule}`")),
                "{rule} is neither in docs/c.md nor in docs/lint.md"
            );
            all.insert(rule.to_owned());
        }
    }
    for rule in ["bad-handle", "bad-length", "buffer-too-small", "name-form", "null-argument", "panic"] {
        assert!(all.contains(rule), "{rule} is looked for in vain: {all:?}");
    }
    // Every status above 5 is in the table. Smaller numbers are not checked, because they also occur in other enums.
    for (code, _) in declarations(&committed()) {
        if let Some(status) = code.strip_prefix("FG_").and_then(|code| code.split_once(" = "))
            && status.1.trim_end_matches(',').parse::<u32>().is_ok_and(|number| number > 5)
        {
            assert!(own.contains(&format!("`FG_{}`", status.0)), "FG_{} is not in docs/c.md", status.0);
        }
    }
}

#[test]
fn the_cmake_package_has_the_version() {
    let version = fs::read_to_string(folder().join("cmake/fablegrade-config-version.cmake")).unwrap();
    assert!(version.contains(&format!("set(PACKAGE_VERSION \"{}\")", env!("CARGO_PKG_VERSION"))));
}
