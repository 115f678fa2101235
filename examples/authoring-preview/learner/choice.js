// Multiple choice, numeric and free text: plain form controls.
import { h, fresh } from "../dom.js";
import { Digits, digits } from "../documents.js";
import { content, spoken } from "./content.js";

export function multipleChoice({ view }) {
  const kind = view.multipleSelect ? "checkbox" : "radio";
  const inputs = view.choices.map(({ id, content }) => h("input", { type: kind, name: "choice", value: id, "aria-label": spoken(content) }));
  const element = h(
    "fieldset",
    {},
    h("legend", { class: "quiet" }, view.multipleSelect ? "Tick all that apply" : "Choose one"),
    h("div", { class: "choices" }, view.choices.map((choice, at) => h("label", { class: "option" }, inputs[at], content(choice.content)))),
  );
  return {
    element,
    submission: () => ({ type: "multiple_choice", selectedChoiceIds: inputs.filter((input) => input.checked).map((input) => input.value) }),
    missing: () => (inputs.some((input) => input.checked) ? undefined : view.multipleSelect ? "Tick at least one choice." : "Choose one."),
  };
}

export function numeric({ view }) {
  const [number, unit] = [fresh("n"), fresh("u")];
  const value = h("input", { type: "text", inputmode: view.integerOnly ? "numeric" : "decimal", id: number, placeholder: view.inputHint, autocomplete: "off" });
  const given = view.unit && h("input", { type: "text", id: unit, placeholder: view.unit.required ? undefined : "optional", maxlength: 30, autocomplete: "off" });
  const element = h(
    "div",
    { class: "number" },
    h("div", {}, h("label", { for: number, class: "label" }, view.integerOnly ? "Your answer, an integer" : "Your answer"), value),
    given && h("div", {}, h("label", { for: unit, class: "label" }, `Unit, such as ${view.unit.expected || "…"}`), given),
  );
  return {
    element,
    submission: () => ({ type: "numeric", value: digits(value.value) ?? new Digits("0"), unit: given?.value.trim() || undefined }),
    missing: () => {
      if (value.value.trim() === "") return "Write a number.";
      return digits(value.value) === undefined ? "This is not a number. Write it like 9.81 or 6.02e23." : undefined;
    },
  };
}

export function freeText({ view, preview }) {
  const id = fresh("t");
  const area = h("textarea", { id, rows: 7 });
  const said = h("span", { role: "status" });
  const bar = view.minWords && h("progress", { max: view.minWords, value: 0, "aria-label": "Words written of those asked for" });
  const boxes = (view.gradingMode === "self_assess" ? (view.selfAssessChecklist ?? []) : []).map((line) => [h("input", { type: "checkbox" }), line]);
  const bounds =
    view.minWords && view.maxWords ? `${view.minWords} to ${view.maxWords} words`
    : view.minWords ? `at least ${view.minWords} words`
    : view.maxWords ? `at most ${view.maxWords} words`
    : undefined;
  const count = () => {
    const { words } = preview.countWords(area.value);
    said.textContent = `${words} ${words === 1 ? "word" : "words"}${bounds ? ` · ${bounds}` : ""}`;
    if (bar) bar.value = Math.min(words, view.minWords);
  };
  area.addEventListener("input", count);
  count();
  const element = h(
    "div",
    { class: "choices" },
    h("label", { for: id, class: "label" }, "Your text", view.allowMath ? ", formulas in $dollars$" : ""),
    area,
    h("div", { class: "counter" }, said, bar),
    boxes.length > 0 &&
      h("fieldset", {}, h("legend", { class: "quiet" }, "Check your own text"), h("div", { class: "checklist" }, boxes.map(([box, line]) => h("label", {}, box, line)))),
    (view.rubric ?? []).length > 0 &&
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "What counts"), h("th", { scope: "col" }, "Points"))),
        h("tbody", {}, view.rubric.map((line) => h("tr", {}, h("td", {}, line.criterion, line.description && h("div", { class: "note" }, line.description)), h("td", {}, line.points)))),
      ),
  );
  return {
    element,
    submission: () => ({
      type: "free_text",
      content: area.value,
      selfAssessment: boxes.length > 0 ? boxes.map(([box]) => box.checked) : undefined,
    }),
    missing: () => (area.value.trim() === "" ? "Write your text." : undefined),
  };
}
