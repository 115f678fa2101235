//! An example of each question type, with a correct answer.

use fablegrade_core::QuestionType;

/// Returns a question with its key, and a correct answer to it.
pub(super) const fn example(kind: QuestionType) -> (&'static str, &'static str) {
    match kind {
        QuestionType::MultipleChoice => (MULTIPLE_CHOICE, MULTIPLE_CHOICE_ANSWER),
        QuestionType::Numeric => (NUMERIC, NUMERIC_ANSWER),
        QuestionType::Expression => (EXPRESSION, EXPRESSION_ANSWER),
        QuestionType::FreeText => (FREE_TEXT, FREE_TEXT_ANSWER),
        QuestionType::Code => (CODE, CODE_ANSWER),
        QuestionType::Ordering => (ORDERING, ORDERING_ANSWER),
        QuestionType::Matching => (MATCHING, MATCHING_ANSWER),
        QuestionType::Widget => (WIDGET, WIDGET_ANSWER),
    }
}

const MULTIPLE_CHOICE: &str = r#"{
  "type": "multiple_choice",
  "multipleSelect": true,
  "partialCredit": true,
  "choices": [
    { "id": "c1", "content": "2", "correct": true },
    { "id": "c2", "content": "4", "correct": false, "feedback": "4 is 2 times 2." },
    { "id": "c3", "content": "5", "correct": true },
    { "id": "c4", "content": "9", "correct": false, "feedback": "9 is 3 times 3." }
  ]
}
"#;

const MULTIPLE_CHOICE_ANSWER: &str = r#"{ "type": "multiple_choice", "selectedChoiceIds": ["c1", "c3"] }
"#;

const NUMERIC: &str = r#"{
  "type": "numeric",
  "answer": { "value": 9.81, "tolerance": { "mode": "absolute", "amount": 0.02 } },
  "inputHint": "two decimal places"
}
"#;

const NUMERIC_ANSWER: &str = r#"{ "type": "numeric", "value": 9.8 }
"#;

const EXPRESSION: &str = r#"{
  "type": "expression",
  "canonical": "\\frac{x^2-1}{x-1}",
  "equivalence": "symbolic",
  "variables": [{ "name": "x", "domain": { "min": -10, "max": 10 } }]
}
"#;

const EXPRESSION_ANSWER: &str = r#"{ "type": "expression", "latex": "1+x" }
"#;

const FREE_TEXT: &str = r#"{
  "type": "free_text",
  "gradingMode": "self_assess",
  "minWords": 3,
  "maxWords": 200,
  "selfAssessChecklist": ["It names the cause.", "It names the effect."]
}
"#;

const FREE_TEXT_ANSWER: &str = r#"{
  "type": "free_text",
  "content": "Warm air rises, so the smoke goes up.",
  "selfAssessment": [true, true]
}
"#;

const CODE: &str = r#"{
  "type": "code",
  "languages": ["python", "javascript"],
  "limits": { "timeMsPerCase": 2000, "memoryMb": 128 },
  "testSuites": [
    {
      "name": "examples",
      "visibility": "public",
      "cases": [{ "input": "1 2\n", "expected": "3\n" }]
    },
    {
      "name": "further",
      "visibility": "hidden",
      "cases": [
        { "input": "-5 5\n", "expected": "0\n", "points": 2 },
        { "input": "1000000 1\n", "expected": "1000001\n" }
      ]
    }
  ]
}
"#;

const CODE_ANSWER: &str = r#"{ "type": "code", "language": "python", "source": "print(sum(map(int, input().split())))" }
"#;

const ORDERING: &str = r#"{
  "type": "ordering",
  "prompt": "From the Sun outwards",
  "items": [
    { "id": "i1", "content": "Earth" },
    { "id": "i2", "content": "Mars" },
    { "id": "i3", "content": "Venus" }
  ],
  "correctOrder": ["i3", "i1", "i2"]
}
"#;

const ORDERING_ANSWER: &str = r#"{ "type": "ordering", "order": ["i3", "i1", "i2"] }
"#;

const MATCHING: &str = r#"{
  "type": "matching",
  "prompt": "Which capital?",
  "left": [{ "id": "l1", "content": "France" }, { "id": "l2", "content": "Italy" }],
  "right": [
    { "id": "r1", "content": "Paris" },
    { "id": "r2", "content": "Rome" },
    { "id": "r3", "content": "Oslo" },
    { "id": "r4", "content": "Lyon" },
    { "id": "r5", "content": "Milan" }
  ],
  "correctPairs": [{ "left": "l1", "right": "r1" }, { "left": "l2", "right": "r2" }]
}
"#;

const MATCHING_ANSWER: &str = r#"{
  "type": "matching",
  "pairs": [{ "left": "l1", "right": "r1" }, { "left": "l2", "right": "r2" }]
}
"#;

const WIDGET: &str = r#"{
  "type": "widget",
  "widgetName": "number-line",
  "widgetVersion": "1.0.0",
  "params": { "from": 0, "to": 10 },
  "validator": { "kind": "state_equals", "expectedState": { "point": 7 } }
}
"#;

const WIDGET_ANSWER: &str = r#"{ "type": "widget", "state": { "point": 7 } }
"#;
