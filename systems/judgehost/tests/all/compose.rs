//! The Compose project that is written from a plan.

use fablegrade_judgehost::{compose, distribute};

use super::{Draft, files, package, plan};

#[test]
fn of_two_conditions_the_later_one_counts() {
    for (one, other, later) in [
        ("healthy", "started", "service_healthy"),
        ("started", "completed", "service_completed_successfully"),
        ("completed", "healthy", "service_completed_successfully"),
    ] {
        let wait =
            |condition: &str| format!(r#"{{"container_id": "submission", "condition": "{condition}"}}"#);
        let text = Draft::default().text(
            r#""health_check": {"command": "true"}"#,
            &format!(r#""depends_on": [{}, {}]"#, wait(one), wait(other)),
        );
        let project = compose::project(&plan(&text, &[]), &[]);
        assert!(project.contains(&format!("condition: \"{later}\"")), "{project}");
        assert_eq!(project.matches("condition: \"service_").count(), 1, "{project}");
    }
}

#[test]
fn a_project_says_what_the_plan_says() {
    let text = Draft::default().text(
        r#""health_check": {"command": "test \"$A\" = 'b: #'", "interval": 5}, "ports": ["8080", "53/udp"], "environment": {"PRICE": "5$ \u2028"}"#,
        r#""depends_on": [{"container_id": "submission", "condition": "healthy"}], "terminates": ["submission"], "capabilities": {"drop": ["KILL"]},
           "mounts": [{"type": "bind", "source": "tester/cases", "destination": "/cases", "read_only": true},
                      {"type": "tmpfs", "destination": "/tmp"}, {"type": "volume", "source": "shared", "destination": "/shared"}]"#,
    );
    let plan = plan(&text, &[("tester/cases/1", "1"), ("tester/hooks/post/01_t.sh", "true")]);
    let project = compose::project(&plan, &[]);
    for line in [
        "name: \"two-sum-sub_1\"",
        "    internal: true",
        "    build:\n      context: \"./submission\"\n      dockerfile: \"Dockerfile\"",
        "      \"submission\":\n        condition: \"service_healthy\"",
        r#"        - "test \"$$A\" = 'b: #'""#,
        "      interval: \"5s\"",
        "      PRICE: \"5$$ \\u2028\"",
        "    expose:\n      - \"8080/tcp\"\n      - \"53/udp\"",
        "    cap_drop:\n      - \"KILL\"",
        "    mem_limit: \"512m\"",
        "        source: \"./out/tester\"\n        target: \"/out\"",
        "        source: \"./tester/cases\"\n        target: \"/cases\"",
        "volumes:\n  \"shared\": {}",
        "# The package main goes to / of submission",
        "x-judgehost:",
    ] {
        let plain = project.replace("\"PRICE\"", "PRICE").replace("-\n", "- \n");
        let wanted = line
            .replace("volumes:\n  \"shared\"", "volumes:\n  shared")
            .replace("\"submission\":\n", "submission:\n");
        assert!(plain.contains(&wanted) || plain.contains(line), "{line}\n---\n{project}");
    }
    assert!(!project.contains("ports:\n      - \"8080:"), "nothing of the host is opened");
}

#[test]
fn a_submission_is_mounted_read_only() {
    let text = Draft::default().text("", "");
    let package = package(&text, &[]).unwrap();
    let deliveries = distribute(&package.config, &files(&[("src/a.py", ""), ("b.py", "")])).unwrap();
    let project = compose::project(&plan(&text, &[]), &deliveries);
    for name in ["src", "b.py"] {
        assert!(project.contains(&format!("source: \"./submitted/main/{name}\"")), "{project}");
        assert!(project.contains(&format!("target: \"/{name}\"")), "{project}");
    }
    assert!(!project.contains("# The package"));
}
