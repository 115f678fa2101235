//! The report as an HTML page.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use fablegrade_analysis::lines::NamedSitting;
use fablegrade_analysis::{
    Class, Finding, ItemReport, OptionKind, OptionReport, Report, Statistic, TestReport,
};
use fablegrade_core::json::Json;

use super::{counted, plot};
use crate::markup::escape;
use crate::page::{self, scrolled};

const STYLE: &str = "\
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:.5rem 1.5rem;margin:1rem 0}\
dt{font-size:.875rem}dd{margin:0;font-size:1.25rem;font-variant-numeric:tabular-nums}\
figure{margin:1rem 0;max-width:40rem}figcaption{font-size:.875rem}svg{width:100%;height:auto;display:block}\
svg text{fill:currentColor;font:12px system-ui,sans-serif}svg .axis{stroke:currentColor;stroke-width:1}\
svg .grid{stroke:var(--line);stroke-width:1}svg .mark{fill:var(--mark)}svg .found{fill:var(--loss)}\
table.sortable td,table.sortable th{padding-inline:.4rem}th button{font:inherit;font-weight:bold;color:inherit;background:none;border:0;padding:.25rem 0;cursor:pointer;\
text-align:inherit;white-space:nowrap}th[aria-sort] button::after{content:\" \\2195\"}th[aria-sort=ascending] button::after{content:\" \\2191\"}\
th[aria-sort=descending] button::after{content:\" \\2193\"}\
details{border-bottom:1px solid var(--line);padding:.25rem 0}summary{cursor:pointer;padding:.25rem 0}\
.findings>li{margin:.75rem 0;overflow-wrap:anywhere}.findings p{margin:0}code{font-size:.9375em}a{color:var(--mark)}\
meter{inline-size:6rem}\
@media(max-width:40rem){svg text{font-size:18px}}\
@media print{th button::after{content:none!important}details,li,tr,figure{break-inside:avoid}}";

/// Sorts a table by a column, opens the item that a link leads to, and opens all items for printing.
const SCRIPT: &str = "\
for(const table of document.querySelectorAll('table.sortable')){\
const body=table.tBodies[0],heads=[...table.tHead.rows[0].cells];\
heads.forEach((head,at)=>head.querySelector('button').addEventListener('click',()=>{\
const up=head.getAttribute('aria-sort')!=='ascending',sign=up?1:-1;\
const key=row=>row.cells[at].dataset.value??row.cells[at].textContent;\
const order=(a,b)=>{const[x,y]=[key(a),key(b)];\
if(head.classList.contains('n')){if(x===''||y==='')return(x==='')-(y==='');return sign*(x-y)}\
return sign*(x<y?-1:x>y?1:0)};\
body.append(...[...body.rows].sort(order));\
for(const other of heads)other.setAttribute('aria-sort','none');\
head.setAttribute('aria-sort',up?'ascending':'descending')}))}\
const open=()=>{const item=document.getElementById(location.hash.slice(1));\
if(item?.tagName==='DETAILS'){item.open=true;item.querySelector('summary').focus()}};\
addEventListener('hashchange',open);open();\
addEventListener('beforeprint',()=>document.querySelectorAll('details').forEach(one=>one.open=true));";

/// Formats a statistic with three decimals, or as a dash with the reason if it is undefined.
fn number(statistic: Statistic) -> String {
    match (statistic.value(), statistic.absent()) {
        (Some(value), _) => format!("{value:.3}"),
        (None, reason) => {
            let reason = reason.map_or("", |reason| reason.reason());
            format!("<abbr title=\"{reason}\">–</abbr>")
        }
    }
}

/// Writes a cell that is sorted by its exact value, not by the three decimals shown.
fn cell(statistic: Statistic, out: &mut String) {
    let value = statistic.value().map(|value| value.to_string()).unwrap_or_default();
    let _ = write!(out, "<td class=\"n\" data-value=\"{value}\">{}</td>", number(statistic));
}

/// Returns the report as an HTML page.
pub(super) fn page(report: &Report, named: &[NamedSitting]) -> String {
    let mut body = String::new();
    test(&report.test, report.items.len(), &mut body);
    findings(report, &mut body);
    items(report, &mut body);
    body.push_str("<h2>Answers by item</h2>");
    for (at, item) in report.items.iter().enumerate() {
        details(at, item, &mut body);
    }
    if !named.is_empty() {
        sittings(report.test.sittings, named, &mut body);
    }
    page::page("Item analysis", STYLE, &body, SCRIPT)
}

/// Writes the sittings with their names, for a teacher who requested them.
fn sittings(all: u64, named: &[NamedSitting], out: &mut String) {
    out.push_str("<h2>Sittings</h2>");
    if all > named.len() as u64 {
        let _ = write!(out, "<p>The first {} of {all} sittings.</p>", named.len());
    }
    let mut table = String::from(
        "<table class=\"sortable\"><caption>Sittings by name; a heading sorts by its column</caption><thead><tr>\
         <th scope=\"col\" aria-sort=\"none\"><button type=\"button\">Sitting</button></th>\
         <th scope=\"col\" class=\"n\" aria-sort=\"none\"><button type=\"button\">Answers</button></th>\
         <th scope=\"col\" class=\"n\" aria-sort=\"none\"><button type=\"button\">Score</button></th></tr></thead><tbody>",
    );
    for NamedSitting { name, answers, score } in named {
        let text = Json::parse(name.as_bytes()).ok();
        let name = escape(text.as_ref().and_then(Json::as_str).unwrap_or(name));
        let score = score.to_f64();
        let _ = write!(
            table,
            "<tr><th scope=\"row\">{name}</th><td class=\"n\" data-value=\"{answers}\">{answers}</td>\
             <td class=\"n\" data-value=\"{score}\">{score:.3}</td></tr>"
        );
    }
    table.push_str("</tbody></table>");
    out.push_str(&scrolled("Sittings", &table));
}

fn test(test: &TestReport, items: usize, out: &mut String) {
    let _ = write!(
        out,
        "<p>{} of {}. Scores are in points.</p><dl>",
        counted(test.sittings, "sitting"),
        counted(items as u64, "item")
    );
    for (name, statistic) in [
        ("Mean", test.mean),
        ("Standard deviation", test.standard_deviation),
        ("Median", test.quartiles[1]),
        ("Skewness", test.skewness),
        ("Kurtosis", test.kurtosis),
        ("Cronbach’s alpha", test.alpha),
        ("Standard error", test.standard_error),
    ] {
        let _ = write!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", number(statistic));
    }
    out.push_str("</dl>");
    if !test.histogram.is_empty() {
        let _ = write!(
            out,
            "<figure>{}<figcaption>Sittings by total score</figcaption></figure>",
            plot::histogram(&test.histogram)
        );
        histogram(&test.histogram, out);
    }
}

/// Writes the numbers of the histogram, for readers who cannot see it.
fn histogram(classes: &[Class], out: &mut String) {
    let mut table = String::from(
        "<table><caption>Number of sittings with a total score from one value to below another</caption><thead><tr>\
         <th scope=\"col\" class=\"n\">From</th><th scope=\"col\" class=\"n\">To below</th>\
         <th scope=\"col\" class=\"n\">Sittings</th></tr></thead><tbody>",
    );
    for Class { from, to, sittings } in classes {
        let _ = write!(
            table,
            "<tr><th scope=\"row\" class=\"n\">{from}</th><td class=\"n\">{to}</td><td class=\"n\">{sittings}</td></tr>"
        );
    }
    table.push_str("</tbody></table>");
    let table = scrolled("Sittings by total score", &table);
    let _ = write!(out, "<details><summary>Sittings by total score as a table</summary>{table}</details>");
}

/// Returns the index of each item on the page, by id.
fn places(report: &Report) -> BTreeMap<&str, usize> {
    report.items.iter().enumerate().map(|(at, item)| (item.item.as_str(), at)).collect()
}

fn findings(report: &Report, out: &mut String) {
    out.push_str("<h2>Findings</h2>");
    if report.findings.is_empty() {
        out.push_str("<p>None: no statistic shows a defect.</p>");
        return;
    }
    let places = places(report);
    out.push_str("<ul class=\"findings\">");
    for Finding { item, rule, message, help, fix, .. } in &report.findings {
        let at = places.get(item.as_str()).copied().unwrap_or_default();
        let _ = write!(
            out,
            "<li><p><a href=\"#item-{at}\">{}</a> <code>{rule}</code></p><p>{}.</p><p>{}.",
            escape(item),
            escape(&capital(message)),
            escape(&capital(help))
        );
        if let Some(fix) = fix {
            let _ = write!(out, " Fix: {}.", escape(fix));
        }
        out.push_str("</p></li>");
    }
    out.push_str("</ul>");
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

const COLUMNS: [&str; 9] = [
    "Attempts",
    "Facility",
    "Discrimination",
    "Guess",
    "Efficiency",
    "Weight",
    "Blank",
    "Refused",
    "Seconds",
];

fn items(report: &Report, out: &mut String) {
    out.push_str("<h2>Items</h2>");
    if let Some(plot) = plot::items(report) {
        let _ = write!(
            out,
            "<figure>{plot}<figcaption>Items by facility (left is hard) and discrimination (below the line at 0.2 is \
             poor)</figcaption></figure>"
        );
    }
    let mut table = String::from(
        "<table class=\"sortable\"><caption>Items; a heading sorts by its column</caption><thead><tr>\
         <th scope=\"col\" aria-sort=\"ascending\"><button type=\"button\">Item</button></th>",
    );
    for name in COLUMNS {
        let _ = write!(
            table,
            "<th scope=\"col\" class=\"n\" aria-sort=\"none\"><button type=\"button\">{name}</button></th>"
        );
    }
    table.push_str("</tr></thead><tbody>");
    for (at, item) in report.items.iter().enumerate() {
        let id = escape(&item.item);
        let _ = write!(
            table,
            "<tr><th scope=\"row\"><a href=\"#item-{at}\">{id}</a></th><td class=\"n\" data-value=\"{0}\">{0}</td>",
            item.attempts
        );
        for statistic in [
            item.facility,
            item.discrimination,
            item.random_guess,
            item.discriminative_efficiency,
            item.effective_weight,
            item.blank,
            item.refused,
            item.seconds,
        ] {
            cell(statistic, &mut table);
        }
        table.push_str("</tr>");
    }
    table.push_str("</tbody></table>");
    out.push_str(&scrolled("Items", &table));
}

fn details(at: usize, item: &ItemReport, out: &mut String) {
    let _ = write!(
        out,
        "<details id=\"item-{at}\"><summary>{} <small>({} attempts, facility {})</small></summary>",
        escape(&item.item),
        item.attempts,
        number(item.facility)
    );
    if item.pending > 0 {
        let _ = write!(
            out,
            "<p>Answers not graded yet, and excluded from all statistics except the time: {}.</p>",
            item.pending
        );
    }
    if !item.options.is_empty() {
        out.push_str(&scrolled(&format!("Options of {}", item.item), &options(item)));
    }
    if !item.wrong_answers.is_empty() {
        out.push_str(&scrolled(&format!("Wrong answers to {}", item.item), &wrong_answers(item)));
    }
    if let Some(reason) = item.wrong_answers_absent {
        let _ = write!(out, "<p>Common wrong answers: none listed ({reason}).</p>");
    }
    if item.options.is_empty() && item.wrong_answers.is_empty() && item.wrong_answers_absent.is_none() {
        out.push_str("<p>No wrong answers.</p>");
    }
    out.push_str("</details>");
}

fn options(item: &ItemReport) -> String {
    let (name, who) = match item.option_kind {
        OptionKind::Choice => ("Choice", "chose them"),
        OptionKind::Pair => ("Pair", "chose them"),
        OptionKind::Position => ("Position", "chose them"),
        OptionKind::Case => ("Case", "passed them"),
    };
    let mut table = format!(
        "<table><caption>{name}s of {}, with the rest scores of the learners who {who}</caption><thead><tr>\
         <th scope=\"col\">{name}</th><th scope=\"col\">Key</th><th scope=\"col\" class=\"n\">Count</th>\
         <th scope=\"col\" class=\"n\">Share</th><th scope=\"col\" class=\"n\">Mean rest</th>\
         <th scope=\"col\" class=\"n\">Quartiles</th></tr></thead><tbody>",
        escape(&item.item)
    );
    for OptionReport { option, key, count, share, mean_rest, rest_quartiles } in &item.options {
        let key = match key {
            Some(true) => "right",
            Some(false) => "wrong",
            None => "",
        };
        let bar = share.value().unwrap_or_default();
        let name = escape(option);
        let _ = write!(
            table,
            "<tr><th scope=\"row\">{name}</th><td>{key}</td><td class=\"n\">{count}</td><td class=\"n\">\
             <meter value=\"{bar}\" aria-label=\"Share of {name}\"></meter> {}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{} {} {}</td></tr>",
            number(*share),
            number(*mean_rest),
            number(rest_quartiles[0]),
            number(rest_quartiles[1]),
            number(rest_quartiles[2]),
        );
    }
    table.push_str("</tbody></table>");
    table
}

fn wrong_answers(item: &ItemReport) -> String {
    let mut table = format!(
        "<table><caption>Common wrong answers to {}; equivalent ones are counted together</caption><thead><tr>\
         <th scope=\"col\">Answer</th><th scope=\"col\">Spellings</th><th scope=\"col\" class=\"n\">Count</th>\
         <th scope=\"col\" class=\"n\">Refused</th><th scope=\"col\" class=\"n\">Share</th>\
         <th scope=\"col\" class=\"n\">Mean rest</th></tr></thead><tbody>",
        escape(&item.item)
    );
    for group in &item.wrong_answers {
        let others: Vec<_> =
            group.spellings.iter().skip(1).map(|text| format!("<code>{}</code>", escape(text))).collect();
        let _ = write!(
            table,
            "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            escape(&group.answer),
            others.join(", "),
            group.count,
            group.refused,
            number(group.share),
            number(group.mean_rest)
        );
    }
    table.push_str("</tbody></table>");
    table
}
