// A program. Nothing is run here; to see how a case is judged, enter the output of a program.
import { h, fresh } from "../dom.js";

const NAMES = { python: "Python", javascript: "JavaScript", c: "C", cpp: "C++", java: "Java", rust: "Rust", go: "Go" };
const WORDS = { passed: "passed", failed: "failed", runtime_error: "crashed", timeout: "too slow", not_run: "not tried" };

export function code({ view, preview }) {
  const [source, language] = [fresh("s"), fresh("l")];
  const sources = { ...view.starterCode };
  const area = h("textarea", { id: source, class: "code", rows: 8, spellcheck: "false", autocapitalize: "off" });
  const select = h("select", { id: language }, view.languages.map((word) => h("option", { value: word }, NAMES[word])));
  let now = view.languages[0];
  const open = () => {
    area.value = sources[now] ?? "";
  };
  select.addEventListener("change", () => {
    sources[now] = area.value;
    now = select.value;
    open();
  });
  open();

  const isFunction = view.harness.mode === "function";
  const tried = [];
  const sum = h("p", { class: "note", role: "status" });
  const judge = () => {
    const outcomes = tried
      .filter(({ output }) => output.value !== "")
      .map(({ suite, caseIndex, output }) => ({
        suite, caseIndex, end: "exited", exitCode: 0, ...(isFunction ? { returned: output.value } : { stdout: output.value }),
      }));
    const judged = preview.previewCases(outcomes);
    if (!judged.ok) return;
    for (const { suite, caseIndex, badge, diff } of tried) {
      const found = judged.cases.find((result) => result.suite === suite && result.caseIndex === caseIndex);
      const verdict = found?.verdict ?? "not_run";
      badge.textContent = WORDS[verdict];
      badge.className = `badge ${verdict}`;
      diff.hidden = found?.diffExcerpt === undefined;
      diff.textContent = found?.diffExcerpt ?? "";
    }
    sum.textContent = outcomes.length === 0 ? "" : `${judged.passed} of ${judged.total} public cases pass, ${judged.earned} of ${judged.points} points.`;
  };
  const suites = view.testSuites.map((suite) => {
    if (suite.visibility === "hidden") return h("p", { class: "note" }, `“${suite.name}” is tested too, with cases that are not shown.`);
    return h(
      "div",
      { class: "cases" },
      suite.cases.map((given, caseIndex) => {
        const badge = h("span", { class: "badge" }, WORDS.not_run);
        const diff = h("pre", { class: "diff", hidden: true, tabindex: "0", "aria-label": "The first difference" });
        const id = fresh("o");
        const output = h("textarea", { id, class: "code", rows: 1, spellcheck: "false", oninput: judge });
        tried.push({ suite: suite.name, caseIndex, badge, diff, output });
        return h(
          "div",
          { class: "case" },
          h("div", { class: "title" }, h("span", {}, given.name ?? `${suite.name} ${caseIndex + 1}`), badge),
          h(
            "div",
            { class: "io" },
            h("div", {}, h("span", { class: "label" }, isFunction ? "Arguments" : "Input"), h("pre", {}, given.input)),
            h("div", {}, h("span", { class: "label" }, "Expected"), h("pre", {}, given.expected)),
            h("div", {}, h("label", { class: "label", for: id }, isFunction ? "Try a returned value" : "Try an output"), output),
          ),
          diff,
        );
      }),
    );
  });
  const element = h(
    "div",
    { class: "choices" },
    h("div", {}, h("label", { for: language, class: "label" }, "Language"), select),
    h(
      "div",
      {},
      h("label", { for: source, class: "label" }, isFunction ? `Your program, with a function ${view.harness.functionName ?? ""}` : "Your program: it reads standard input"),
      area,
    ),
    suites,
    sum,
  );
  return {
    element,
    submission: () => ({ type: "code", language: now, source: area.value }),
    missing: () => (area.value.trim() === "" ? "Write a program." : undefined),
  };
}
