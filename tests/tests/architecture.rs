//! The paths in `ARCHITECTURE.md` and in the decision records exist.
// Tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;

use fablegrade_tests::repository;

/// Returns the texts in backquotes that look like paths of the repository.
fn paths(page: &str) -> impl Iterator<Item = &str> {
    page.split('`').skip(1).step_by(2).filter(|text| {
        text.contains('/') && text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
    })
}

#[test]
fn the_named_paths_exist() {
    let mut pages = vec!["ARCHITECTURE.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    for page in fs::read_dir(repository().join("docs/adr")).unwrap() {
        pages.push(format!("docs/adr/{}", page.unwrap().file_name().to_str().unwrap()));
    }
    assert!(pages.len() > 11, "{pages:?}");
    let mut seen = 0;
    for page in pages {
        let text = fs::read_to_string(repository().join(&page)).unwrap();
        for path in paths(&text) {
            assert!(repository().join(path).exists(), "{page} names {path}");
            seen += 1;
        }
    }
    assert!(seen > 40, "only {seen} paths were found");
}

#[test]
fn every_member_of_the_workspace_is_on_the_map() {
    let map = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let manifest = fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    for member in members.split('"').skip(1).step_by(2) {
        let folder = member.split('/').next().unwrap();
        assert!(map.contains(&format!("`{folder}/")), "{member} is not in ARCHITECTURE.md");
    }
}
