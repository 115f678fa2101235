//! Small changes to a document, similar to the errors of people and programs.

use serde_json::{Value, json};

use crate::dice::Dice;

/// Returns the pointers of all values in `document`, the document itself first.
pub(crate) fn places(document: &Value) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut at = 0;
    while at < all.len() {
        let place = all[at].clone();
        match document.pointer(&place) {
            Some(Value::Array(items)) => all.extend((0..items.len()).map(|index| format!("{place}/{index}"))),
            Some(Value::Object(fields)) => {
                let escaped = |key: &String| key.replace('~', "~0").replace('/', "~1");
                all.extend(fields.keys().map(|key| format!("{place}/{}", escaped(key))));
            }
            _ => {}
        }
        at += 1;
    }
    all
}

/// Draws a value at or beyond the bounds of the format.
pub(crate) fn odd_value(dice: &mut Dice) -> Value {
    match dice.below(8) {
        0 => Value::Null,
        1 => json!(dice.coin()),
        2 => dice.one_of(&[
            json!(-1),
            json!(0),
            json!(1),
            json!(1.0),
            json!(2),
            json!(5),
            json!(9),
            json!(10),
            json!(16),
            json!(20.0),
            json!(50),
            json!(100),
            json!(101),
            json!(256),
            json!(257),
            json!(512),
            json!(513),
            json!(1024),
            json!(5000),
            json!(5001),
            json!(10000),
            json!(10001),
            json!(30000),
            json!(30001),
            json!(86400),
            json!(86401),
        ]),
        3 => dice.one_of(&[
            json!(0.5),
            json!(-0.5),
            json!(0.8),
            json!(0.81),
            json!(0.001),
            json!(0.0011),
            json!(0.01),
            json!(0.011),
            json!(1e-300),
            json!(1e300),
            json!(-1e300),
            json!(1e20),
            json!(4.000000001),
            json!(-0.0),
        ]),
        4 => {
            let length = dice.one_of(&[
                0, 1, 16, 17, 20, 21, 30, 31, 32, 33, 64, 65, 80, 81, 100, 101, 200, 201, 300, 301,
            ]);
            json!(dice.one_of(&["a", "é", "_", "-", "7", "😀"]).repeat(length))
        }
        5 => dice.one_of(&[
            json!("multiple_choice"),
            json!("code"),
            json!("self_assess"),
            json!("exact"),
            json!("python"),
            json!("hidden"),
            json!("a b"),
            json!("a\n"),
            json!("1.2.3"),
            json!("1.2.3\n"),
            json!("٣.0.0"),
            json!("a--b"),
            json!("x_1"),
            json!("2026-02-29T00:00:00Z"),
            json!("2026-02-28t23:59:59.5z"),
            json!("2016-12-31T23:59:60Z"),
            json!("2026-02-28T23:59:59+24:00"),
            json!("2026-02-28 23:59:59Z"),
            json!("33333333-3333-4333-8333-33333333333"),
            json!("33333333333343338333333333333333"),
            json!("{33333333-3333-4333-8333-333333333333}"),
            json!("AAAAAAAA-0000-0000-0000-000000000000"),
        ]),
        6 => dice.one_of(&[json!([]), json!([1]), json!(["a", "a"]), json!([[]])]),
        _ => dice.one_of(&[
            json!({}),
            json!({"a": 1}),
            json!({"type": "numeric", "value": 1}),
            json!({"id": "a", "content": 1}),
        ]),
    }
}

/// Changes one thing somewhere in `document`.
pub(crate) fn mutate(dice: &mut Dice, document: &mut Value) {
    let places = places(document);
    let place = places[dice.below(places.len())].clone();
    let other = places[dice.below(places.len())].clone();
    let copy = document.pointer(&other).cloned().unwrap_or(Value::Null);
    let kind = dice.below(7);
    let odd = odd_value(dice);
    let parent_and_key = place
        .rsplit_once('/')
        .map(|(parent, key)| (parent.to_owned(), key.replace("~1", "/").replace("~0", "~")));
    match (kind, parent_and_key) {
        // Remove or rename a field.
        (0 | 1, Some((parent, key))) => match document.pointer_mut(&parent) {
            Some(Value::Object(fields)) => {
                let value = fields.remove(&key);
                if let Some(value) = value.filter(|_| kind == 1) {
                    fields.insert(
                        dice.one_of(&["Type", "renamed", "id", "value", "points", "unit", ""]).to_owned(),
                        value,
                    );
                }
            }
            Some(Value::Array(items)) => {
                if let Ok(index) = key.parse::<usize>() {
                    items.remove(index);
                }
            }
            _ => {}
        },
        // Add or repeat an element.
        (2, _) => match document.pointer_mut(&place) {
            Some(Value::Object(fields)) => {
                let key = dice.one_of(&[
                    "extra",
                    "correct",
                    "feedback",
                    "answer",
                    "tolerance",
                    "min",
                    "value",
                    "cases",
                    "name",
                ]);
                fields.insert(key.to_owned(), odd);
            }
            Some(Value::Array(items)) => {
                let times = dice.one_of(&[1, 9, 13, 49]);
                let item = items.last().cloned().unwrap_or(odd);
                items.extend(std::iter::repeat_n(item, times));
            }
            Some(value) => *value = odd,
            None => {}
        },
        // Use a value from another place in the document.
        (3, _) => {
            if let Some(value) = document.pointer_mut(&place) {
                *value = copy;
            }
        }
        _ => {
            if let Some(value) = document.pointer_mut(&place) {
                *value = odd;
            }
        }
    }
}
