//! HTML reports: self-contained pages in light and dark colours, for screens and paper.

use crate::markup::escape;

/// The style of all pages.
const STYLE: &str = "\
html{background:Canvas;color:CanvasText}:root{color-scheme:light dark;--line:#8884;--mark:#0b57d0;--gain:#1a7f37;--loss:#b3261e}\
@media(prefers-color-scheme:dark){:root{--mark:#a8c7fa;--gain:#6fdd8b;--loss:#ffb4ab}}\
body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;overflow-wrap:break-word}\
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}\
caption{text-align:start;padding-bottom:.5rem}\
th,td{border-bottom:1px solid var(--line);padding:.35rem .6rem;text-align:start;vertical-align:top}\
td.n,th.n{text-align:end;font-variant-numeric:tabular-nums}\
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}\
.gain{color:var(--gain)}.loss{color:var(--loss)}\
@media print{:root{color-scheme:light}body{margin:0;max-width:none}.scroll{overflow:visible}}";

/// Returns a page whose title is also its heading. `style`, `body` and `script` are not escaped.
pub(crate) fn page(title: &str, style: &str, body: &str, script: &str) -> String {
    let policy = if script.is_empty() { "" } else { "; script-src 'unsafe-inline'" };
    let script = if script.is_empty() { String::new() } else { format!("<script>{script}</script>") };
    format!("{}{body}</main>{script}</body></html>\n", start(title, style, policy))
}

/// Returns the start of a page without a script, whose body is written piece by piece. [`END`] ends the page.
#[cfg(feature = "interchange")]
pub(crate) fn open(title: &str, style: &str) -> String {
    start(title, style, "")
}

/// The end of a page that [`open`] started.
#[cfg(feature = "interchange")]
pub(crate) const END: &str = "</main></body></html>\n";

fn start(title: &str, style: &str, policy: &str) -> String {
    let title = escape(title);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'{policy}\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{title}</title>\
         <style>{STYLE}{style}</style></head><body><main><h1>{title}</h1>"
    )
}

/// Returns a region that scrolls horizontally if its contents are too wide, and that can have the keyboard
/// focus.
pub(crate) fn scrolled(label: &str, body: &str) -> String {
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">{body}</div>",
        escape(label)
    )
}
