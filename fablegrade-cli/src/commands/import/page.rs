//! The losses of questions as an HTML page, which is written question by question.

use std::fmt::Write as _;

use fablegrade_interchange::report::Summary;
use fablegrade_interchange::{Exactness, Question, ReadError};

use crate::markup::escape;
use crate::page::{self, scrolled};

const STYLE: &str = "h2{font-size:1.125rem;margin:1.5rem 0 .25rem}td:first-child{white-space:nowrap}td:last-child{min-width:14rem}\
.changes-score{color:var(--loss)}";

/// Returns the start of the page.
pub(super) fn head() -> String {
    page::open("Imported questions", STYLE)
}

/// Renders the losses of a question. The text is empty if there are none.
pub(super) fn question(question: &Question) -> String {
    if question.losses.is_empty() {
        return String::new();
    }
    let title = if question.item.title.is_empty() { &question.item.id } else { &question.item.title };
    let heading =
        format!("<h2>{} <code>{}</code>: {}</h2>", escape(title), escape(&question.file), question.exactness);
    let mut table = String::from(
        "<table><thead><tr><th scope=\"col\">Effect</th><th scope=\"col\">Place</th><th scope=\"col\">Loss</th></tr></thead><tbody>",
    );
    for loss in &question.losses {
        let effect = loss.effect.as_str();
        let _ = write!(
            table,
            "<tr><td class=\"{effect}\">{effect}</td><td><code>{}</code></td><td>{}; {}</td></tr>",
            escape(&loss.place.to_string()),
            escape(&loss.message),
            escape(&loss.suggestion)
        );
    }
    table.push_str("</tbody></table>");
    heading + &scrolled(&format!("Losses of {title}"), &table) + "\n"
}

/// Renders a file or question that cannot be read.
pub(super) fn unreadable(error: &ReadError) -> String {
    format!("<h2 class=\"changes-score\">{}</h2>\n", escape(&error.to_string()))
}

/// Renders the counts and the end of the page.
pub(super) fn end(summary: &Summary) -> String {
    let mut table = String::from("<table><thead><tr><th scope=\"col\">Format</th>");
    for exactness in Exactness::ALL {
        let _ = write!(table, "<th scope=\"col\" class=\"n\">{exactness}</th>");
    }
    table.push_str("<th scope=\"col\" class=\"n\">texts</th></tr></thead><tbody>");
    for (format, counts) in summary.rows() {
        let _ = write!(table, "<tr><th scope=\"row\">{format}</th>");
        for count in counts.questions.into_iter().chain([counts.texts]) {
            let _ = write!(table, "<td class=\"n\">{count}</td>");
        }
        table.push_str("</tr>");
    }
    table.push_str("</tbody></table>");
    format!(
        "<h2>Summary</h2>{}<p>Unreadable: {}.</p>{}",
        scrolled("Questions by format and exactness", &table),
        summary.unreadable,
        page::END
    )
}
