//! Words for all other cases, such as *otherwise*.

/// Returns whether words beside a piece of `cases` stand for all other values, as *otherwise* does.
pub fn is_otherwise(words: &str) -> bool {
    let words = words.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let words: Vec<&str> = words.split_whitespace().collect();
    matches!(
        words.join(" ").as_str(),
        "otherwise"
            | "if otherwise"
            | "else"
            | "or else"
            | "elsewhere"
            | "everywhere else"
            | "in all other cases"
            | "in any other case"
            | "in other cases"
            | "all other cases"
            | "for all other cases"
            | "for all others"
            | "for all other values"
            | "sonst"
            | "ansonsten"
            | "andernfalls"
            | "für alle anderen"
            | "für alle anderen werte"
            | "in allen anderen fällen"
            | "sinon"
            | "autrement"
            | "dans les autres cas"
            | "dans tous les autres cas"
            | "altrimenti"
            | "negli altri casi"
            | "in tutti gli altri casi"
            | "en otro caso"
            | "en cualquier otro caso"
            | "en los demás casos"
            | "de lo contrario"
            | "caso contrário"
            | "nos outros casos"
    )
}
