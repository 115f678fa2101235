//! The summary of a regrade as a page: one file, without scripts and without anything from the network.

use std::fmt::Write as _;

use super::summary::{Item, Summary};
use crate::markup::escape;

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8884;--gain:#1a7f37;--loss:#b3261e}\
@media(prefers-color-scheme:dark){:root{--gain:#6fdd8b;--loss:#ffb4ab}}\
body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}\
div{overflow-x:auto}table{border-collapse:collapse;width:100%}\
caption{text-align:start;padding-bottom:.5rem}\
th,td{border-bottom:1px solid var(--line);padding:.35rem .6rem;text-align:start;vertical-align:top}\
td.n,th.n{text-align:end;font-variant-numeric:tabular-nums}\
.gain{color:var(--gain)}.loss{color:var(--loss)}\
@media print{body{margin:0;max-width:none}}";

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

/// The page: sums, then a row for each item, those with changes first.
pub(super) fn page(summary: &Summary, refused: u64) -> String {
    let attempts: u64 = summary.items.values().map(|item| item.attempts).sum();
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Regrade</title>\
         <style>{STYLE}</style></head><body><main><h1>Regrade</h1>\
         <p>{} of {attempts} results changed, in {} of {} items.{}</p><div tabindex=\"0\" role=\"region\" \
         aria-label=\"Items\"><table><caption>Items, those with changed results first</caption>\
         <thead><tr><th scope=\"col\">Item</th><th scope=\"col\" class=\"n\">Attempts</th>\
         <th scope=\"col\" class=\"n\">Changed</th><th scope=\"col\" class=\"n\">Gain</th>\
         <th scope=\"col\" class=\"n\">Lose</th><th scope=\"col\">Verdicts</th></tr></thead><tbody>",
        summary.changed(),
        summary.items.values().filter(|item| item.changed > 0).count(),
        summary.items.len(),
        if refused > 0 {
            format!(" Lines that could not be graded by one of the banks: {refused}.")
        } else {
            String::new()
        },
    );
    let mut items: Vec<_> = summary.items.iter().collect();
    items.sort_by_key(|(_, item)| std::cmp::Reverse(item.changed));
    for (id, item) in items {
        row(&mut page, id, item);
    }
    page.push_str("</tbody></table></div></main></body></html>\n");
    page
}
