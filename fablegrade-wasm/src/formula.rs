//! How a formula is read, for the question it answers or for itself.

use fablegrade_latex::free_names::{Names, admits};
use fablegrade_latex::names::normal_name;
use fablegrade_latex::{Declarations, LogBase, ParseError, Understanding};
use fablegrade_public::json::{self, Document, Json, Object, Path, Read, Value};
use fablegrade_public::view::expression::{ExpressionView, function_not_allowed, symbol_not_listed};
use fablegrade_public::{DeliveryView, Finding, Findings};

use crate::reply::{Given, Reply, span};

/// What a caller may say about names; for a formula without a question.
struct Named {
    variables: Vec<String>,
    functions: Vec<String>,
    log_base: LogBase,
}

impl Read for Named {
    fn read(value: Value<'_>, at: &Path<'_>, findings: &mut Findings) -> Option<Self> {
        let mut object = Object::open(value, at, findings)?;
        let variables = object.defaulted("variables", Vec::new(), json::list(0, 40, json::string(1, 40)));
        let functions = object.defaulted("functions", Vec::new(), json::list(0, 40, json::string(1, 40)));
        let log_base = object.defaulted(
            "logBase",
            LogBase::Ten,
            json::word(&[("ten", LogBase::Ten), ("natural", LogBase::Natural)]),
        );
        object.close();
        Some(Self { variables: variables?, functions: functions?, log_base: log_base? })
    }
}

/// Reads a formula as the graders of a question do. Domains and tolerances do not change a reading.
pub(crate) fn read_for(view: &ExpressionView, latex: &str) -> Result<Understanding, ParseError> {
    let variables = view.variables.iter().flatten();
    let names = variables.fold(Declarations::new(), |names, variable| names.with_variable(&variable.name));
    fablegrade_latex::understand(latex, &names)
}

pub(crate) fn understand(latex: &str, options: &str, view: &str) -> Reply {
    if view.is_empty() {
        let named = match Document::parse(options.as_bytes()).and_then(|document| document.read::<Named>()) {
            Ok(named) => named,
            Err(error) => return Reply::unreadable(Given::Options, &error),
        };
        let mut names = Declarations::new().with_log_base(named.log_base);
        for name in &named.variables {
            names = names.with_variable(name);
        }
        for name in &named.functions {
            names = names.with_function(name);
        }
        return match fablegrade_latex::understand(latex, &names) {
            Ok(read) => reading(&read, latex, Vec::new()),
            Err(error) => Reply::unreadable_formula(&error, latex),
        };
    }
    match DeliveryView::from_json(view) {
        Ok(DeliveryView::Expression(view)) => match read_for(&view, latex) {
            Ok(read) => reading(&read, latex, warnings(&view, &read.names)),
            Err(error) => Reply::unreadable_formula(&error, latex),
        },
        Ok(_) => Reply::findings(
            Given::View,
            &[Finding::error(
                "other-type",
                "/type",
                "only an expression question has formulas to read",
                "leave the view out",
            )],
        ),
        Err(error) => Reply::unreadable(Given::View, &error),
    }
}

/// Names that an answer to this question cannot use; the same words as in a result.
fn warnings(view: &ExpressionView, names: &Names) -> Vec<Json> {
    let mut warnings = Vec::new();
    let mut warn = |rule: &str, name: &str, message: String| {
        let warning = Json::build().with("rule", rule).with("name", name).with("message", message);
        warnings.push(warning.build());
    };
    if let Some(variables) = &view.variables {
        let listed: Vec<String> = variables.iter().map(|variable| normal_name(&variable.name)).collect();
        for symbol in names.symbols.iter().filter(|symbol| !listed.contains(symbol)) {
            warn("symbol-not-listed", symbol, symbol_not_listed(symbol));
        }
    }
    if let Some(allowed) = &view.allowed_functions {
        for function in names.functions.iter().filter(|function| !admits(allowed, function)) {
            warn("function-not-allowed", function, function_not_allowed(function));
        }
    }
    warnings
}

fn reading(read: &Understanding, latex: &str, warnings: Vec<Json>) -> Reply {
    let notes = read.notes.iter().map(|note| {
        Json::build()
            .with("rule", note.kind.as_str())
            .with("message", note.message())
            .with("span", span(note.span, latex))
            .build()
    });
    Reply::ok(
        Json::build()
            .with("latex", &read.latex)
            .with("notes", Json::array(notes))
            .with("symbols", Json::array(&read.names.symbols))
            .with("functions", Json::array(read.names.functions.iter().copied()))
            .with("calls", Json::array(&read.names.calls))
            .with("warnings", Json::array(warnings)),
    )
}
