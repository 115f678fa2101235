//! The JSON Schemas of configurations and states.

/// Returns the JSON Schema (draft 2020-12) of a validator's configuration (`"short_text.config"`) or state
/// (`"short_text.state"`); `None` for other names.
pub fn schema(name: &str) -> Option<&'static str> {
    Some(match name {
        "blanks.config" => include_str!("../schemas/blanks.config.json"),
        "blanks.state" => include_str!("../schemas/blanks.state.json"),
        "choice_weights.config" => include_str!("../schemas/choice_weights.config.json"),
        "choice_weights.state" => include_str!("../schemas/choice_weights.state.json"),
        "form.config" => include_str!("../schemas/form.config.json"),
        "form.state" => include_str!("../schemas/form.state.json"),
        "number_text.config" => include_str!("../schemas/number_text.config.json"),
        "number_text.state" => include_str!("../schemas/number_text.state.json"),
        "order_graph.config" => include_str!("../schemas/order_graph.config.json"),
        "order_graph.state" => include_str!("../schemas/order_graph.state.json"),
        "short_text.config" => include_str!("../schemas/short_text.config.json"),
        "short_text.state" => include_str!("../schemas/short_text.state.json"),
        _ => return None,
    })
}
