//! SVG plots for the HTML page, whose style sheet gives their colours. Tables on the page contain all numbers of the plots.

use std::collections::BTreeSet;

use fablegrade_analysis::{Class, Report};
use svg::node::element::{Circle, Line, Rectangle, Text, Title};
use svg::{Document, Node as _};

/// The size of a plot with its margins, in SVG units.
const SIZE: (f64, f64) = (640.0, 320.0);
/// Margins: left, top, right, bottom.
const MARGIN: (f64, f64, f64, f64) = (48.0, 12.0, 12.0, 44.0);
/// Maximum number of points in a plot.
const MAX_POINTS: usize = 5_000;

/// A plot whose axes run from `from` to `to`.
struct Plot {
    document: Document,
    from: (f64, f64),
    to: (f64, f64),
}

impl Plot {
    fn new(label: &str, from: (f64, f64), to: (f64, f64)) -> Self {
        let document = Document::new()
            .set("viewBox", (0, 0, SIZE.0, SIZE.1))
            .set("role", "img")
            .set("aria-label", label);
        Self { document, from, to }
    }

    /// Returns the position of a point in the image, rounded to two decimals.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let part =
            |value: f64, from: f64, to: f64| if to > from { (value - from) / (to - from) } else { 0.5 };
        let (width, height) = (SIZE.0 - MARGIN.0 - MARGIN.2, SIZE.1 - MARGIN.1 - MARGIN.3);
        let x = MARGIN.0 + width * part(x, self.from.0, self.to.0);
        let y = MARGIN.1 + height * (1.0 - part(y, self.from.1, self.to.1));
        (rounded(x), rounded(y))
    }

    fn add(&mut self, node: impl Into<Box<dyn svg::Node>>) {
        self.document.append(node);
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (self.at(from.0, from.1), self.at(to.0, to.1));
        let line = Line::new().set("class", class).set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2);
        self.add(line);
    }

    fn text(&mut self, text: impl Into<String>, at: (f64, f64), anchor: &str) {
        let text = Text::new(text).set("x", at.0).set("y", at.1).set("text-anchor", anchor);
        self.add(text);
    }

    /// Writes a value of the horizontal axis below the plot.
    fn below(&mut self, value: f64, text: String) {
        let (x, _) = self.at(value, self.from.1);
        self.text(text, (x, SIZE.1 - MARGIN.3 + 16.0), "middle");
    }

    /// Draws a horizontal line across the plot, with its value on the left.
    fn across(&mut self, class: &str, value: f64, text: String) {
        self.line(class, (self.from.0, value), (self.to.0, value));
        let (_, y) = self.at(self.from.0, value);
        self.text(text, (MARGIN.0 - 6.0, y + 4.0), "end");
    }

    /// Writes the name of the horizontal axis.
    fn name(&mut self, text: &str) {
        self.text(text, (rounded((MARGIN.0 + SIZE.0 - MARGIN.2) / 2.0), SIZE.1 - 8.0), "middle");
    }

    fn finish(self) -> String {
        self.document.to_string()
    }
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// Formats a number with as many decimals as it needs, but at most two.
fn short(value: f64) -> String {
    rounded(value).to_string()
}

/// Draws a histogram of the total scores.
pub(super) fn histogram(classes: &[Class]) -> String {
    let most = classes.iter().map(|class| class.sittings).max().unwrap_or_default().max(1) as f64;
    let (first, last) =
        (classes.first().map_or(0.0, |class| class.from), classes.last().map_or(1.0, |class| class.to));
    let label = format!("Histogram of total scores from {} to {}", short(first), short(last));
    let mut plot = Plot::new(&label, (first, 0.0), (last, most));
    plot.across("axis", 0.0, "0".into());
    plot.across("grid", most, most.to_string());
    for class in classes {
        let ((left, top), (right, bottom)) =
            (plot.at(class.from, class.sittings as f64), plot.at(class.to, 0.0));
        let title = if class.sittings == 1 { "sitting" } else { "sittings" };
        let title = format!("{} to below {}: {} {title}", short(class.from), short(class.to), class.sittings);
        let bar = Rectangle::new()
            .set("class", "mark")
            .set("x", left + 1.0)
            .set("y", top)
            .set("width", rounded((right - left - 2.0).max(1.0)))
            .set("height", rounded(bottom - top))
            .add(Title::new(title));
        plot.add(bar);
    }
    let step = classes.len().div_ceil(10);
    for class in classes.iter().step_by(step.max(1)) {
        plot.below(class.from, short(class.from));
    }
    plot.name("Total score in points (numbers at the left edges of the bars)");
    plot.finish()
}

/// Draws the items by facility and discrimination. Items with findings have another colour.
///
/// Returns `None` if no item has both statistics.
pub(super) fn items(report: &Report) -> Option<String> {
    let found: BTreeSet<&str> = report.findings.iter().map(|finding| finding.item.as_str()).collect();
    let points: Vec<_> = report
        .items
        .iter()
        .filter_map(|item| Some((item.facility.value()?, item.discrimination.value()?, item.item.as_str())))
        .take(MAX_POINTS)
        .collect();
    if points.is_empty() {
        return None;
    }
    let lowest = points.iter().map(|point| point.1).fold(0.0, f64::min);
    // The vertical axis starts at a multiple of one half, which is 0 unless a value is negative.
    let low = (lowest * 2.0).floor() / 2.0;
    let mut plot = Plot::new("Items by facility and discrimination", (0.0, low), (1.0, 1.0));
    for tenth in [0, 2, 4, 6, 8, 10] {
        let value = f64::from(tenth) / 10.0;
        plot.line("grid", (value, low), (value, 1.0));
        plot.below(value, short(value));
    }
    let halves = (low * 2.0) as i32;
    for half in halves..=2 {
        let value = f64::from(half) / 2.0;
        plot.across(if half == 0 { "axis" } else { "grid" }, value, short(value));
    }
    plot.across("axis", 0.2, "0.2".into());
    for (facility, discrimination, id) in points {
        let (x, y) = plot.at(facility, discrimination);
        let title = format!("{id}: facility {facility:.3}, discrimination {discrimination:.3}");
        let point = Circle::new()
            .set("class", if found.contains(id) { "found" } else { "mark" })
            .set("cx", x)
            .set("cy", y)
            .set("r", 5)
            .add(Title::new(title));
        plot.add(point);
    }
    plot.name("Facility");
    Some(plot.finish())
}
