//! Names of QTI 2.x and 3.0. A 3.0 name is the 2.x name with hyphens and, for elements, the prefix `qti-`. The module
//! `qti` uses 2.x names.

use crate::xml::Element;

/// Returns the 2.x name of an element: `qti-assessment-item` is `assessmentItem`.
pub(super) fn kind(element: Element<'_>) -> String {
    camel(element.name().strip_prefix("qti-").unwrap_or(element.name()))
}

fn camel(name: &str) -> String {
    // Camel case would give `durationLt` and `durationGte`.
    match name {
        "duration-lt" => return "durationLT".into(),
        "duration-gte" => return "durationGTE".into(),
        _ => {}
    }
    let mut out = String::with_capacity(name.len());
    let mut upper = false;
    for c in name.chars() {
        match c {
            '-' => upper = true,
            c if upper => {
                out.push(c.to_ascii_uppercase());
                upper = false;
            }
            c => out.push(c),
        }
    }
    out
}

/// Returns an attribute by its 2.x name, in either spelling.
pub(super) fn attribute<'t>(element: Element<'t>, name: &str) -> Option<&'t str> {
    element
        .attributes()
        .find(|(found, _)| {
            let found = found.rsplit_once(':').map_or(*found, |(_, local)| local);
            found == name || (found.contains('-') && camel(found) == name)
        })
        .map(|(_, value)| value)
}

/// Returns the child elements with a 2.x name.
pub(super) fn children<'t>(element: Element<'t>, name: &'static str) -> impl Iterator<Item = Element<'t>> {
    element.elements().filter(move |child| kind(*child) == name)
}

/// Returns the first child element with a 2.x name.
pub(super) fn child<'t>(element: Element<'t>, name: &'static str) -> Option<Element<'t>> {
    children(element, name).next()
}

/// Reads a flag: `true`, `True`, `TRUE` and `1` are true; `None` if the attribute is missing.
pub(super) fn flag(element: Element<'_>, name: &str) -> Option<bool> {
    attribute(element, name).map(|text| matches!(text.trim(), "true" | "True" | "TRUE" | "1"))
}
