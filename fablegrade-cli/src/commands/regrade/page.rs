//! The summary of a regrade as an HTML page.

use std::fmt::Write as _;

use super::summary::{Item, Summary};
use crate::markup::escape;
use crate::page;

fn row(page: &mut String, id: &str, item: &Item) {
    let Item { attempts, changed, gained, lost, .. } = item;
    let _ = write!(
        page,
        "<tr><th scope=\"row\">{}</th><td class=\"n\">{attempts}</td><td class=\"n\">{changed}</td>\
         <td class=\"n gain\">{gained}</td><td class=\"n loss\">{lost}</td><td>{}</td></tr>",
        escape(id),
        item.moves_text()
    );
}

/// Returns the page: the totals, and a row per item, with changed items first.
pub(super) fn page(summary: &Summary, refused: u64) -> String {
    let attempts: u64 = summary.items.values().map(|item| item.attempts).sum();
    let mut body = format!(
        "<p>{} of {attempts} results changed, in {} of {} items.",
        summary.changed(),
        summary.items.values().filter(|item| item.changed > 0).count(),
        summary.items.len(),
    );
    if refused > 0 {
        let _ = write!(body, " Lines that could not be graded with at least one of the banks: {refused}.");
    }
    body.push_str("</p>");
    let mut table = String::from(
        "<table><caption>Items with changed results first</caption>\
         <thead><tr><th scope=\"col\">Item</th><th scope=\"col\" class=\"n\">Attempts</th>\
         <th scope=\"col\" class=\"n\">Changed</th><th scope=\"col\" class=\"n\">Gained</th>\
         <th scope=\"col\" class=\"n\">Lost</th><th scope=\"col\">Verdicts</th></tr></thead><tbody>",
    );
    let mut items: Vec<_> = summary.items.iter().collect();
    items.sort_by_key(|(_, item)| std::cmp::Reverse(item.changed));
    for (id, item) in items {
        row(&mut table, id, item);
    }
    table.push_str("</tbody></table>");
    body.push_str(&page::scrolled("Items", &table));
    page::page("Regrade", "", &body, "")
}
