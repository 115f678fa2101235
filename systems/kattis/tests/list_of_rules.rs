//! The list of all rules of the three versions, each with its test.
#![allow(clippy::unwrap_used)]

/// All rules: the part of the specification, the rule, and its test.
const TESTS: &[(&str, &str, &str)] = &[
    (
        "layout",
        "places of statements, validators, graders, submissions in each version",
        "examples_of_every_version_and_kind_are_valid",
    ),
    ("layout", "what belongs to another version, or is missing", "every_rule_finds_its_defect"),
    ("layout", "names of packages, files and folders", "names_of_packages_files_and_folders"),
    ("layout", "hidden files are absent", "hidden_files_are_not_there"),
    ("layout", "UTF-8 without byte-order mark, line ends", "texts_of_a_package"),
    ("layout", "links stay inside; groups share cases by links", "links_within_a_package_share_cases"),
    ("layout", "unknown keys are errors", "every_rule_finds_its_defect"),
    ("problem.yaml", "types and their combinations", "every_rule_finds_its_defect"),
    ("problem.yaml", "limits and their defaults", "limits_are_the_typical_ones_unless_they_are_set"),
    (
        "problem.yaml",
        "limits that cannot be kept refuse the package",
        "limits_that_the_host_cannot_keep_refuse_the_package",
    ),
    ("problem.yaml", "limits that are not limits", "limits_out_of_range"),
    (
        "problem.yaml",
        "the limit of code, without what is included",
        "the_limit_of_code_is_about_the_authors_own_files",
    ),
    (
        "problem.yaml",
        "constants: where they are replaced and where not",
        "constants_reach_every_text_but_data_and_metadata",
    ),
    (
        "problem.yaml",
        "the output of a submission counts together (2025-09)",
        "output_errors_and_files_count_together_in_the_current_version",
    ),
    ("problem.yaml", "file writing", "a_submission_writes_files_where_its_version_lets_it"),
    ("legacy groups", "keys are inherited one by one", "keys_of_testdata_are_inherited_one_by_one"),
    ("legacy groups", "order, on_reject, graders, scores, range, judge errors", "the_legacy_tree"),
    ("legacy groups", "modes and flags of the default grader", "modes_and_flags"),
    ("legacy groups", "what graders read and print", "what_a_grader_may_print"),
    ("legacy groups", "ignore_sample is for the root", "every_rule_finds_its_defect"),
    ("groups", "cases or groups, no nesting, max_score, aggregation", "every_rule_finds_its_defect"),
    ("groups", "scores of cases and groups, score files", "scores_of_2025_09"),
    ("groups", "require_pass, static cases", "groups_that_require_others_and_static_cases"),
    ("groups", "pass-fail: every sample and secret case", "pass_fail_stops_where_the_result_is_certain"),
    ("groups", "keys of cases, inherited from the group", "keys_of_a_case_are_inherited_from_its_group"),
    ("groups", "files of a case overwrite", "files_of_a_case_and_answers_handed_in"),
    ("groups", "no on_reject, no legacy keys", "keys_of_the_other_version_are_refused"),
    ("default validator", "tokens, case, blanks, tolerances, grammar of numbers", "decisions"),
    ("default validator", "arguments", "arguments"),
    ("validators", "arguments, feedback, exit codes", "a_validator_gets_its_files_and_leaves_its_feedback"),
    (
        "validators",
        "flags of problem and group; input validators get flags and args",
        "arguments_of_input_validators",
    ),
    ("validators", "static validators", "a_static_validator_judges_the_sources"),
    ("validators", "passes and their limits", "passes"),
    ("validators", "interaction in several passes", "an_interaction_may_have_several_passes"),
    ("validators", "blame in an interaction", "blame_in_an_interaction"),
    ("time", "limits of both versions", "time_limits_of_both_versions"),
    ("time", "use_for_time_limit", "use_for_time_limit_overrides"),
    ("programs", "language by most endings, entry points", "languages_and_entry_points"),
    ("programs", "scripts", "a_build_script_may_leave_the_run_that_lies_there"),
    ("programs", "includes overwrite", "includes_overwrite_files_of_the_same_name"),
    ("programs", "attachments and generators are never run", "attachments_and_generators_are_never_run"),
    ("expectations", "folders of both versions", "expectations_of_both_versions"),
    (
        "expectations",
        "submissions.yaml: patterns, verdicts, score, message, language, entry point",
        "submissions_yaml",
    ),
    (
        "verification",
        "input validators on data and junk",
        "input_validators_see_every_input_junk_and_altered_inputs",
    ),
    ("verification", "grammars of Checktestdata", "grammars_of_checktestdata_are_validators"),
    ("verification", "declared junk, valid outputs", "outputs_that_must_be_accepted"),
    (
        "verification",
        "output validators on odd outputs",
        "an_output_validator_must_decide_whatever_the_output_is",
    ),
    ("problem.yaml", "people, credits, sources", "people_are_read"),
    ("problem.yaml", "owners of rights", "only_authors_and_sources_own_rights"),
    ("problem.yaml", "names, dates, languages", "values_of_the_metadata"),
    ("layout", "files of cases that belong to another version", "files_of_the_other_version_are_told"),
    ("layout", "files of cases, conversations, answers that are too long", "files_of_cases"),
    ("layout", "statements, samples, solutions", "texts_about_the_problem"),
    ("validators", "files and arguments of cases for validators", "cases_for_validators_are_cases"),
    ("validators", "places of arguments", "arguments_are_told_where_they_are_set"),
    ("legacy groups", "groups without cases", "groups_without_cases_are_told"),
    ("expectations", "consistency, entry points, folders", "expectations_that_nothing_can_meet"),
    ("programs", "several Python files", "programs_of_several_python_files_start_in_main"),
    ("verification", "cases that are the same, order of names, large files", "remarks_about_data"),
];

#[test]
fn every_rule_has_a_test() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = vec![root.join("src/default_validator.rs"), root.join("src/grader.rs")];
    sources.extend(std::fs::read_dir(root.join("tests")).unwrap().map(|entry| entry.unwrap().path()));
    sources.push(root.join("../../fablegrade-runner/tests/kattis.rs"));
    let all: String = sources.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    for (part, rule, test) in TESTS {
        assert!(all.contains(&format!("fn {test}()")), "{part}: {rule}: there is no test {test}");
    }
}
