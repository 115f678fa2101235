//! Converts Unicode mathematics to LaTeX.

/// Returns whether a character is invisible, such as a soft hyphen, a joiner or a direction mark.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e007f}')
}

/// Appends the LaTeX for a non-ASCII character.
pub(crate) fn push(c: char, out: &mut String) {
    if is_invisible(c) {
        return;
    }
    if let Some(plain) = plain_form(c) {
        return out.push(plain);
    }
    if let Some((top, bottom)) = vulgar_fraction(c) {
        out.push_str("\\frac{");
        out.push_str(top);
        out.push_str("}{");
        out.push_str(bottom);
        return out.push('}');
    }
    match symbol(c) {
        Some(latex) => {
            out.push_str(latex);
            if latex.starts_with('\\') && latex.ends_with(|last: char| last.is_ascii_alphabetic()) {
                out.push(' ');
            }
        }
        None => out.push(c),
    }
}

/// Returns the ASCII equivalent of a character in another width or font, of a digit of another script, or of a
/// space, a punctuation mark or a lookalike letter.
pub(crate) fn plain_form(c: char) -> Option<char> {
    let offset = |base: char, first: u32| char::from_u32(base as u32 + (c as u32 - first));
    Some(match c {
        '\u{ff01}'..='\u{ff5e}' => offset('!', 0xff01)?,
        '\u{660}'..='\u{669}' => offset('0', 0x660)?,
        '\u{6f0}'..='\u{6f9}' => offset('0', 0x6f0)?,
        '\u{966}'..='\u{96f}' => offset('0', 0x966)?,
        // bold, double-struck, sans, bold sans, monospace
        '\u{1d7ce}'..='\u{1d7ff}' => char::from_digit((c as u32 - 0x1d7ce) % 10, 10)?,
        // mathematical alphabets: 26 capitals and 26 small letters each
        '\u{1d400}'..='\u{1d6a3}' => {
            let at = (c as u32 - 0x1d400) % 52;
            char::from_u32(if at < 26 { 'A' as u32 + at } else { 'a' as u32 + at - 26 })?
        }
        // the italic h, which the block above lacks
        'ℎ' => 'h',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        '−' | '–' | '—' | '‐' | '‑' | '‒' | '﹣' | '➖' => '-',
        '∕' | '⁄' => '/',
        '∗' => '*',
        '’' | '‘' | '′' | 'ʹ' => '\'',
        '“' | '”' => '"',
        '∶' | '꞉' => ':',
        '。' => '.',
        '【' => '[',
        '】' => ']',
        // lookalike letters of other scripts, written by mistake or on purpose instead of option letters
        'А' => 'A',
        'В' => 'B',
        'С' => 'C',
        'Е' => 'E',
        _ => return None,
    })
}

fn vulgar_fraction(c: char) -> Option<(&'static str, &'static str)> {
    Some(match c {
        '½' => ("1", "2"),
        '⅓' => ("1", "3"),
        '⅔' => ("2", "3"),
        '¼' => ("1", "4"),
        '¾' => ("3", "4"),
        '⅕' => ("1", "5"),
        '⅖' => ("2", "5"),
        '⅗' => ("3", "5"),
        '⅘' => ("4", "5"),
        '⅙' => ("1", "6"),
        '⅚' => ("5", "6"),
        '⅐' => ("1", "7"),
        '⅛' => ("1", "8"),
        '⅜' => ("3", "8"),
        '⅝' => ("5", "8"),
        '⅞' => ("7", "8"),
        '⅑' => ("1", "9"),
        '⅒' => ("1", "10"),
        _ => return None,
    })
}

/// Returns the fraction of superscript and subscript digits at the start of a text, `³⁄₄`, and its number of characters.
pub(crate) fn script_fraction(text: impl Iterator<Item = char>) -> Option<(String, usize)> {
    let (mut top, mut bottom, mut slash) = (String::new(), String::new(), false);
    for c in text {
        if matches!(c, '⁄' | '/' | '∕') && !slash && !top.is_empty() {
            slash = true;
            continue;
        }
        let (script, digits) = if slash { (subscript(c), &mut bottom) } else { (superscript(c), &mut top) };
        match script.filter(char::is_ascii_digit) {
            Some(digit) => digits.push(digit),
            None => break,
        }
    }
    let length = top.chars().count() + 1 + bottom.chars().count();
    (!bottom.is_empty()).then(|| (format!("\\frac{{{top}}}{{{bottom}}}"), length))
}

fn symbol(c: char) -> Option<&'static str> {
    Some(match c {
        '×' | '⨯' | '✕' => "\\times",
        '·' | '⋅' | '∙' | '•' => "\\cdot",
        '÷' => "\\div",
        '±' => "\\pm",
        '∓' => "\\mp",
        '∞' => "\\infty",
        '≤' | '⩽' | '≦' => "\\le",
        '≥' | '⩾' | '≧' => "\\ge",
        '≠' => "\\ne",
        '≈' | '≃' | '≅' => "\\approx",
        '≡' => "\\equiv",
        '→' | '⟶' => "\\to",
        '∈' => "\\in",
        '∉' => "\\notin",
        '∪' => "\\cup",
        '∩' => "\\cap",
        '∖' => "\\setminus",
        '∅' | '⌀' | 'Ø' => "\\emptyset",
        '∀' => "\\forall",
        '∃' => "\\exists",
        '∑' => "\\sum",
        '∏' => "\\prod",
        '∫' => "\\int",
        '∂' => "\\partial",
        '∠' => "\\angle",
        '°' | 'º' | '˚' => "^\\circ",
        '℃' => "^\\circ C",
        '℉' => "^\\circ F",
        '″' => "''",
        // only between the members of a list, never in a number
        '、' => ", ",
        '…' | '⋯' => "\\ldots",
        '⟨' | '〈' => "\\langle",
        '⟩' | '〉' => "\\rangle",
        '⌊' => "\\lfloor",
        '⌋' => "\\rfloor",
        '⌈' => "\\lceil",
        '⌉' => "\\rceil",
        '∧' => "\\land",
        '∨' => "\\lor",
        '¬' => "\\neg",
        'ℝ' => "\\mathbb{R}",
        'ℤ' => "\\mathbb{Z}",
        'ℕ' => "\\mathbb{N}",
        'ℚ' => "\\mathbb{Q}",
        'ℂ' => "\\mathbb{C}",
        'π' | 'П' => "\\pi",
        'α' => "\\alpha",
        'β' => "\\beta",
        'γ' => "\\gamma",
        'δ' => "\\delta",
        'ε' | 'ϵ' => "\\epsilon",
        'ζ' => "\\zeta",
        'η' => "\\eta",
        'θ' | 'ϑ' => "\\theta",
        'κ' => "\\kappa",
        'λ' => "\\lambda",
        'μ' | 'µ' => "\\mu",
        'ν' => "\\nu",
        'ξ' => "\\xi",
        'ρ' => "\\rho",
        'σ' => "\\sigma",
        'τ' => "\\tau",
        'φ' | 'ϕ' => "\\phi",
        'χ' => "\\chi",
        'ψ' => "\\psi",
        'ω' => "\\omega",
        'Γ' => "\\Gamma",
        'Δ' => "\\Delta",
        'Θ' => "\\Theta",
        'Λ' => "\\Lambda",
        'Σ' => "\\Sigma",
        'Φ' => "\\Phi",
        'Ψ' => "\\Psi",
        'Ω' => "\\Omega",
        '％' => "\\%",
        _ => return None,
    })
}

/// Returns the digit, sign, parenthesis or letter that a superscript represents.
pub(crate) fn superscript(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => char::from_u32('4' as u32 + (c as u32 - '⁴' as u32))?,
        '⁺' => '+',
        '⁻' => '-',
        '⁽' => '(',
        '⁾' => ')',
        'ⁿ' => 'n',
        'ⁱ' => 'i',
        'ˣ' => 'x',
        _ => return None,
    })
}

/// Returns the digit, sign or letter that a subscript represents.
pub(crate) fn subscript(c: char) -> Option<char> {
    Some(match c {
        '₀'..='₉' => char::from_u32('0' as u32 + (c as u32 - '₀' as u32))?,
        '₊' => '+',
        '₋' => '-',
        'ₙ' => 'n',
        'ₖ' => 'k',
        _ => return None,
    })
}
