//! The meanings of all commands and of characters beyond ASCII. Commands are in one table, hashed at compile
//! time.

use crate::ast::{Constant, Named, NumberSet, Relation};
use crate::functions::{FUNCTIONS, ROWS};

/// A kind of delimiter, regardless of its side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fence {
    Paren,
    Bracket,
    Brace,
    Angle,
    Bar,
    DoubleBar,
    Floor,
    Ceil,
    None,
}

/// A token that the lexer passes to the parser.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Token {
    End,
    /// A number, possibly with a point, group separators and an exponent; the span contains it.
    Number,
    Letter(u8),
    /// A letter with a longer name, such as a Greek letter.
    Name(&'static str),
    Constant(Constant),
    Function(Named),
    OpenBrace,
    CloseBrace,
    Open(Fence),
    Close(Fence),
    /// A bar that may open or close.
    Bar(Fence),
    /// `\left` and a delimiter; `true` if it is a closing delimiter.
    Left(Fence, bool),
    /// `\right` and a delimiter; `true` if it is an opening delimiter.
    Right(Fence, bool),
    Middle,
    Plus,
    Minus,
    PlusMinus,
    MinusPlus,
    Times,
    Divide,
    Colon,
    Caret,
    Underscore,
    Bang,
    Prime(u8),
    Comma,
    Semicolon,
    Relation(Relation),
    And,
    Or,
    Not,
    /// `\not`, which negates the sign after it: `\not=` or `\not\in`.
    Negation,
    Implies,
    Iff,
    /// Exclusive or.
    Xor,
    /// The complement sign, which is an exponent.
    Complement,
    Cup,
    Cap,
    SetMinus,
    Percent,
    Degree,
    /// A Unicode superscript: a digit, a sign, `n` or `i`.
    Raised(u8),
    /// A Unicode subscript digit.
    Lowered(u8),
    /// A Unicode vulgar fraction: numerator and denominator.
    Vulgar(u8, u8),
    /// A currency sign before or after an amount.
    Currency,
    Frac,
    Sqrt,
    /// `\nthroot{3}{x}`
    NthRoot,
    Binom,
    Choose,
    Over,
    Sum,
    BigCup,
    BigCap,
    Product,
    Integral,
    Limit,
    Mod,
    PMod,
    Differential,
    Partial,
    Begin,
    Finish,
    /// `\left` and `\right` before the delimiter is known.
    LeftCommand,
    RightCommand,
    /// `\mathrm`, `\operatorname`, `\text`: text in braces, read as a word.
    Upright,
    /// `\mathbb`
    Blackboard,
    /// `\mathbf`, `\mathit` ...: the same letters in another typeface.
    Face,
    /// `\vec`, `\hat` ...: an accent that makes another name.
    Decoration(&'static str),
    Overline,
    Tilde,
    /// `\boxed{x}`, `\underline{x}`: decoration that is ignored.
    Boxed,
    /// `\mathbin{+}`: changes only the spacing around a sign in braces.
    Spaced,
    /// `\variable{x}`: a name in braces.
    Variable,
    /// `\num{1.5e3}`
    BracedNumber,
    /// `\ang{30}`
    Angle,
    /// `\char"000190`
    Char,
    /// `\hspace{1em}`, `\label{a}` and other commands whose argument is skipped.
    SpaceWithArgument,
    /// Spacing, sizes and styles, which are skipped.
    Skip,
    Dots,
    Ampersand,
    NewRow,
    /// Upright or spelled-out letters that are not a function; the span contains them.
    Words,
    /// An unknown command; the span contains it.
    Unknown,
    /// A character without a meaning in mathematics.
    Stray,
}

use Named as N;
use Relation as R;
use Token as T;

/// Commands by name, without the backslash.
#[rustfmt::skip]
const COMMANDS: &[(&str, Token)] = &[
    ("frac", T::Frac), ("dfrac", T::Frac), ("tfrac", T::Frac), ("cfrac", T::Frac), ("nicefrac", T::Frac), ("sfrac", T::Frac),
    ("sqrt", T::Sqrt), ("surd", T::Sqrt), ("nthroot", T::NthRoot), ("binom", T::Binom), ("dbinom", T::Binom), ("tbinom", T::Binom), ("choose", T::Choose), ("over", T::Over),
    ("left", T::LeftCommand), ("right", T::RightCommand), ("mleft", T::LeftCommand), ("mright", T::RightCommand), ("middle", T::Middle),
    ("cdot", T::Times), ("times", T::Times), ("ast", T::Times), ("star", T::Times), ("bullet", T::Times), ("cdotp", T::Times),
    ("div", T::Divide), ("slash", T::Divide), ("pm", T::PlusMinus), ("mp", T::MinusPlus), ("plusmn", T::PlusMinus),
    ("bmod", T::Mod), ("mod", T::Mod), ("pmod", T::PMod), ("colon", T::Colon), ("ratio", T::Colon),
    ("prime", T::Prime(1)), ("degree", T::Degree), ("circ", T::Degree), ("percent", T::Percent),
    ("lparen", T::Open(Fence::Paren)), ("rparen", T::Close(Fence::Paren)), ("lgroup", T::Open(Fence::Paren)), ("rgroup", T::Close(Fence::Paren)),
    ("lbrack", T::Open(Fence::Bracket)), ("rbrack", T::Close(Fence::Bracket)), ("lbrace", T::Open(Fence::Brace)), ("rbrace", T::Close(Fence::Brace)),
    ("langle", T::Open(Fence::Angle)), ("rangle", T::Close(Fence::Angle)), ("vert", T::Bar(Fence::Bar)), ("mid", T::Bar(Fence::Bar)),
    ("lvert", T::Open(Fence::Bar)), ("rvert", T::Close(Fence::Bar)), ("Vert", T::Bar(Fence::DoubleBar)), ("parallel", T::Bar(Fence::DoubleBar)),
    ("lVert", T::Open(Fence::DoubleBar)), ("rVert", T::Close(Fence::DoubleBar)),
    ("lfloor", T::Open(Fence::Floor)), ("rfloor", T::Close(Fence::Floor)), ("lceil", T::Open(Fence::Ceil)), ("rceil", T::Close(Fence::Ceil)),
    ("llcorner", T::Open(Fence::Floor)), ("lrcorner", T::Close(Fence::Floor)), ("ulcorner", T::Open(Fence::Ceil)), ("urcorner", T::Close(Fence::Ceil)),
    ("lt", T::Relation(R::Less)), ("gt", T::Relation(R::Greater)), ("le", T::Relation(R::LessEqual)), ("leq", T::Relation(R::LessEqual)),
    ("leqslant", T::Relation(R::LessEqual)), ("leqq", T::Relation(R::LessEqual)), ("ge", T::Relation(R::GreaterEqual)), ("geq", T::Relation(R::GreaterEqual)),
    ("geqslant", T::Relation(R::GreaterEqual)), ("geqq", T::Relation(R::GreaterEqual)), ("ne", T::Relation(R::NotEqual)), ("neq", T::Relation(R::NotEqual)),
    ("eq", T::Relation(R::Equal)), ("approx", T::Relation(R::Approximate)), ("simeq", T::Relation(R::Approximate)), ("thickapprox", T::Relation(R::Approximate)),
    ("equiv", T::Relation(R::Equivalent)), ("in", T::Relation(R::In)), ("isin", T::Relation(R::In)), ("notin", T::Relation(R::NotIn)), ("ni", T::Relation(R::Contains)),
    ("subset", T::Relation(R::Subset)), ("subseteq", T::Relation(R::SubsetEqual)), ("supset", T::Relation(R::Superset)), ("supseteq", T::Relation(R::SupersetEqual)),
    ("to", T::Relation(R::Tends)), ("rightarrow", T::Relation(R::Tends)), ("longrightarrow", T::Relation(R::Tends)), ("mapsto", T::Relation(R::Tends)),
    ("propto", T::Relation(R::Proportional)), ("coloneqq", T::Relation(R::Defines)),
    ("land", T::And), ("wedge", T::And), ("lor", T::Or), ("vee", T::Or), ("lnot", T::Not), ("neg", T::Not), ("not", T::Negation),
    ("implies", T::Implies), ("Rightarrow", T::Implies), ("Longrightarrow", T::Implies), ("iff", T::Iff), ("Leftrightarrow", T::Iff), ("leftrightarrow", T::Iff), ("longleftrightarrow", T::Iff), ("oplus", T::Xor), ("veebar", T::Xor), ("complement", T::Complement), ("Longleftrightarrow", T::Iff),
    ("cup", T::Cup), ("cap", T::Cap), ("setminus", T::SetMinus), ("smallsetminus", T::SetMinus), ("backslash", T::SetMinus),
    ("bigcup", T::BigCup), ("bigcap", T::BigCap), ("sum", T::Sum), ("prod", T::Product), ("int", T::Integral), ("lim", T::Limit), ("partial", T::Partial), ("differentialD", T::Differential),
    ("begin", T::Begin), ("end", T::Finish),
    ("operatorname", T::Upright), ("mathrm", T::Upright), ("text", T::Upright), ("textrm", T::Upright), ("mbox", T::Upright), ("mathop", T::Upright), ("textit", T::Upright),
    ("textnormal", T::Upright), ("mathsf", T::Upright), ("mathtt", T::Upright), ("textbf", T::Upright), ("unit", T::Upright), ("hbox", T::Upright), ("textsf", T::Upright),
    ("mathbb", T::Blackboard), ("Bbb", T::Blackboard), ("mathbf", T::Face), ("boldsymbol", T::Face), ("bm", T::Face), ("mathit", T::Face), ("mathnormal", T::Face),
    ("mathcal", T::Face), ("mathscr", T::Face), ("mathfrak", T::Face), ("pmb", T::Face),
    ("vec", T::Decoration("vec")), ("hat", T::Decoration("hat")), ("widehat", T::Decoration("hat")), ("bar", T::Overline), ("overline", T::Overline),
    ("dot", T::Decoration("dot")), ("ddot", T::Decoration("ddot")), ("tilde", T::Tilde), ("widetilde", T::Tilde), ("overrightarrow", T::Decoration("vec")), ("underline", T::Boxed),
    ("boxed", T::Boxed), ("fbox", T::Boxed), ("mathord", T::Spaced), ("mathbin", T::Spaced), ("mathrel", T::Spaced), ("mathopen", T::Spaced), ("mathclose", T::Spaced), ("mathpunct", T::Spaced), ("variable", T::Variable), ("char", T::Char), ("num", T::BracedNumber), ("ang", T::Angle),
    ("hspace", T::SpaceWithArgument), ("mspace", T::SpaceWithArgument), ("hskip", T::SpaceWithArgument), ("phantom", T::SpaceWithArgument), ("vphantom", T::SpaceWithArgument),
    ("hphantom", T::SpaceWithArgument), ("label", T::SpaceWithArgument), ("tag", T::SpaceWithArgument), ("placeholder", T::SpaceWithArgument), ("color", T::SpaceWithArgument), ("textcolor", T::SpaceWithArgument), ("vspace", T::SpaceWithArgument),
    ("quad", T::Skip), ("qquad", T::Skip), ("thinspace", T::Skip), ("medspace", T::Skip), ("thickspace", T::Skip), ("negthinspace", T::Skip), ("enspace", T::Skip), ("space", T::Skip),
    ("nobreak", T::Skip), ("allowbreak", T::Skip), ("displaystyle", T::Skip), ("textstyle", T::Skip), ("scriptstyle", T::Skip), ("scriptscriptstyle", T::Skip), ("limits", T::Skip), ("nolimits", T::Skip), ("displaylimits", T::Skip),
    ("big", T::Skip), ("Big", T::Skip), ("bigg", T::Skip), ("Bigg", T::Skip), ("bigl", T::Skip), ("bigr", T::Skip), ("Bigl", T::Skip), ("Bigr", T::Skip),
    ("biggl", T::Skip), ("biggr", T::Skip), ("Biggl", T::Skip), ("Biggr", T::Skip), ("bigm", T::Skip), ("tiny", T::Skip), ("small", T::Skip), ("normalsize", T::Skip), ("large", T::Skip), ("Large", T::Skip), ("LARGE", T::Skip), ("huge", T::Skip), ("Huge", T::Skip), ("rm", T::Skip), ("bf", T::Skip), ("it", T::Skip),
    ("strut", T::Skip), ("mathstrut", T::Skip), ("null", T::Skip), ("relax", T::Skip),
    ("dots", T::Dots), ("ldots", T::Dots), ("cdots", T::Dots), ("dotsc", T::Dots), ("dotsb", T::Dots), ("vdots", T::Dots), ("ddots", T::Dots),
    ("pi", T::Constant(Constant::Pi)), ("exponentialE", T::Constant(Constant::E)), ("imaginaryI", T::Constant(Constant::I)), ("imaginaryJ", T::Constant(Constant::I)),
    ("infty", T::Constant(Constant::Infinity)), ("infin", T::Constant(Constant::Infinity)), ("emptyset", T::Constant(Constant::EmptySet)), ("varnothing", T::Constant(Constant::EmptySet)),
    ("top", T::Constant(Constant::True)), ("bot", T::Constant(Constant::False)), ("R", T::Constant(Constant::Numbers(NumberSet::Reals))), ("Reals", T::Constant(Constant::Numbers(NumberSet::Reals))), ("N", T::Constant(Constant::Numbers(NumberSet::Naturals))),
    ("Z", T::Constant(Constant::Numbers(NumberSet::Integers))), ("Q", T::Constant(Constant::Numbers(NumberSet::Rationals))), ("C", T::Constant(Constant::Numbers(NumberSet::Complexes))), ("reals", T::Constant(Constant::Numbers(NumberSet::Reals))), ("Complex", T::Constant(Constant::Numbers(NumberSet::Complexes))), ("cnums", T::Constant(Constant::Numbers(NumberSet::Complexes))),
    ("alpha", T::Name("alpha")), ("beta", T::Name("beta")), ("gamma", T::Name("gamma")), ("delta", T::Name("delta")), ("epsilon", T::Name("epsilon")), ("varepsilon", T::Name("epsilon")),
    ("zeta", T::Name("zeta")), ("eta", T::Name("eta")), ("theta", T::Name("theta")), ("vartheta", T::Name("theta")), ("iota", T::Name("iota")), ("kappa", T::Name("kappa")), ("varkappa", T::Name("kappa")), ("lambda", T::Name("lambda")),
    ("mu", T::Name("mu")), ("nu", T::Name("nu")), ("xi", T::Name("xi")), ("omicron", T::Name("omicron")), ("varpi", T::Name("varpi")), ("rho", T::Name("rho")), ("varrho", T::Name("rho")), ("sigma", T::Name("sigma")), ("varsigma", T::Name("sigma")),
    ("tau", T::Name("tau")), ("upsilon", T::Name("upsilon")), ("phi", T::Name("phi")), ("varphi", T::Name("phi")), ("chi", T::Name("chi")), ("psi", T::Name("psi")), ("omega", T::Name("omega")),
    ("Gamma", T::Name("Gamma")), ("Delta", T::Name("Delta")), ("Theta", T::Name("Theta")), ("Lambda", T::Name("Lambda")), ("Xi", T::Name("Xi")), ("Pi", T::Name("Pi")), ("Sigma", T::Name("Sigma")), ("Upsilon", T::Name("Upsilon")),
    ("Phi", T::Name("Phi")), ("Psi", T::Name("Psi")), ("Omega", T::Name("Omega")), ("ell", T::Name("ell")), ("hbar", T::Name("hbar")), ("imath", T::Name("imath")), ("jmath", T::Name("jmath")), ("nabla", T::Name("nabla")), ("aleph", T::Name("aleph")),
];

/// The meanings of upright words that are not functions.
#[rustfmt::skip]
const WORDS: &[(&str, Token)] = &[
    ("mod", T::Mod), 
    ("and", T::And), ("or", T::Or), ("not", T::Not), ("und", T::And), ("oder", T::Or), ("true", T::Constant(Constant::True)), ("True", T::Constant(Constant::True)), ("false", T::Constant(Constant::False)), ("False", T::Constant(Constant::False)),
    ("undefined", T::Constant(Constant::Undefined)), ("undef", T::Constant(Constant::Undefined)), ("infinity", T::Constant(Constant::Infinity)), ("inf", T::Constant(Constant::Infinity)), ("e", T::Constant(Constant::E)), ("i", T::Constant(Constant::I)),
    ("j", T::Constant(Constant::I)), ("pi", T::Constant(Constant::Pi)), ("d", T::Differential), ("GoldenRatio", T::Constant(Constant::GoldenRatio)), ("EulerGamma", T::Constant(Constant::EulerGamma)), ("lim", T::Limit), ("DNE", T::Constant(Constant::Undefined)),
];

const SLOTS: usize = 1024;

const fn hash(name: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ (hash >> 15)) as usize % SLOTS
}

/// A hash table with open addressing. An entry is 0 (empty), the number of a command plus 1, or [`OF_FUNCTION`] with the
/// row of a function times 16 plus the number of its name.
static TABLE: [u16; SLOTS] = {
    const fn insert(table: &mut [u16; SLOTS], name: &str, entry: u16) {
        let mut slot = hash(name.as_bytes());
        while table[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = entry;
    }
    let mut table = [0u16; SLOTS];
    let mut at = 0;
    while at < COMMANDS.len() {
        insert(&mut table, COMMANDS[at].0, at as u16 + 1);
        at += 1;
    }
    let mut row = 0;
    while row < ROWS.len() {
        let mut name = 0;
        assert!(ROWS[row].commands.len() <= 16);
        while name < ROWS[row].commands.len() {
            insert(&mut table, ROWS[row].commands[name], OF_FUNCTION | (row as u16) << 4 | name as u16);
            name += 1;
        }
        row += 1;
    }
    table
};

/// Marks the entries for functions.
const OF_FUNCTION: u16 = 1 << 15;

/// Returns the meaning of `\name`.
pub(crate) fn command(name: &str) -> Option<Token> {
    let mut slot = hash(name.as_bytes());
    loop {
        let entry = TABLE[slot];
        if entry == 0 {
            return None;
        }
        let (known, token) = if entry & OF_FUNCTION == 0 {
            COMMANDS[entry as usize - 1]
        } else {
            let row = &FUNCTIONS[usize::from(entry & !OF_FUNCTION) >> 4];
            (row.commands[usize::from(entry & 15)], Token::Function(row.named))
        };
        if known == name {
            return Some(token);
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// Returns the names of all commands.
fn command_names() -> impl Iterator<Item = &'static str> {
    let functions = FUNCTIONS.iter().flat_map(|row| row.commands.iter().copied());
    COMMANDS.iter().map(|(name, _)| *name).chain(functions)
}

/// Returns the meaning of an upright word, such as a function, a constant or a connective.
pub(crate) fn word(name: &str) -> Option<Token> {
    WORDS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, token)| *token)
        .or_else(|| command(name).filter(|token| matches!(token, Token::Function(_))))
        .or_else(|| {
            FUNCTIONS.iter().find(|row| row.words.contains(&name)).map(|row| Token::Function(row.named))
        })
}

/// Returns a known command of which `name` may be a misspelling: one that is a single edit away, preferably a
/// prefix of `name`, or else the longest prefix. The command has at least three letters.
pub(crate) fn resembling(name: &str) -> Option<&'static str> {
    let close = || {
        command_names().filter(|known| known.len() >= 3 && one_edit_apart(known.as_bytes(), name.as_bytes()))
    };
    let begins = |known: &&str| known.len() >= 3 && name.starts_with(known);
    close()
        .find(begins)
        .or_else(|| close().next())
        .or_else(|| command_names().filter(begins).max_by_key(|known| known.len()))
}

fn one_edit_apart(a: &[u8], b: &[u8]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let front = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let (short, long) = (&short[front..], &long[front..]);
    match (short, long) {
        ([], _) => true,
        (_, [_, rest @ ..]) if rest == short => true,
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([x, y, a @ ..], [v, w, b @ ..]) => x == w && y == v && a == b,
        _ => false,
    }
}

/// Returns the command that `name` begins with if exactly one letter follows it (`\vertx`), with the
/// command's length.
pub(crate) fn split_command(name: &str) -> Option<(Token, usize)> {
    let head = name.len().checked_sub(1)?;
    if head < 2 || !name.is_char_boundary(head) {
        return None;
    }
    command(&name[..head]).map(|token| (token, head))
}

/// Returns the meaning of a character beyond ASCII.
///
/// The function is long because it is a table of characters.
pub(crate) fn character(c: char) -> Option<Token> {
    Some(match c {
        '·' | '×' | '⋅' | '∗' | '•' | '∙' | '⨯' => T::Times,
        '÷' | '∕' | '⁄' => T::Divide,
        '−' | '–' | '—' | '‐' | '‑' | '﹣' | '－' => T::Minus,
        '＋' => T::Plus,
        '±' => T::PlusMinus,
        '∓' => T::MinusPlus,
        '√' => T::Sqrt,
        '∛' => T::Function(N::Cbrt),
        '≤' | '⩽' | '≦' => T::Relation(R::LessEqual),
        '≥' | '⩾' | '≧' => T::Relation(R::GreaterEqual),
        '≠' => T::Relation(R::NotEqual),
        '≈' | '≃' => T::Relation(R::Approximate),
        '≡' => T::Relation(R::Equivalent),
        '＝' => T::Relation(R::Equal),
        '∈' => T::Relation(R::In),
        '∉' => T::Relation(R::NotIn),
        '⊂' => T::Relation(R::Subset),
        '⊆' => T::Relation(R::SubsetEqual),
        '⊃' => T::Relation(R::Superset),
        '⊇' => T::Relation(R::SupersetEqual),
        '→' | '⟶' => T::Relation(R::Tends),
        '⇒' | '⟹' => T::Implies,
        '⇔' | '⟺' => T::Iff,
        '∧' => T::And,
        '∨' => T::Or,
        '¬' => T::Not,
        '∪' => T::Cup,
        '∩' => T::Cap,
        '∖' => T::SetMinus,
        '⊕' | '⊻' => T::Xor,
        '↔' | '⟷' => T::Iff,
        '∁' => T::Complement,
        '∅' | 'Ø' => T::Constant(Constant::EmptySet),
        '∞' => T::Constant(Constant::Infinity),
        'ℝ' => T::Constant(Constant::Numbers(NumberSet::Reals)),
        'ℕ' => T::Constant(Constant::Numbers(NumberSet::Naturals)),
        'ℤ' => T::Constant(Constant::Numbers(NumberSet::Integers)),
        'ℚ' => T::Constant(Constant::Numbers(NumberSet::Rationals)),
        'ℂ' => T::Constant(Constant::Numbers(NumberSet::Complexes)),
        '°' | 'º' => T::Degree,
        '′' | '’' | 'ʹ' => T::Prime(1),
        '″' | '”' => T::Prime(2),
        '％' => T::Percent,
        '⌊' => T::Open(Fence::Floor),
        '⌋' => T::Close(Fence::Floor),
        '⌈' => T::Open(Fence::Ceil),
        '⌉' => T::Close(Fence::Ceil),
        '⟨' => T::Open(Fence::Angle),
        '⟩' => T::Close(Fence::Angle),
        '（' => T::Open(Fence::Paren),
        '）' => T::Close(Fence::Paren),
        '∣' => T::Bar(Fence::Bar),
        '‖' | '∥' => T::Bar(Fence::DoubleBar),
        '⋃' => T::BigCup,
        '⋂' => T::BigCap,
        '∑' => T::Sum,
        '∏' => T::Product,
        '∫' => T::Integral,
        '∂' => T::Partial,
        '…' | '⋯' => T::Dots,
        '，' => T::Comma,
        '⁰' => T::Raised(b'0'),
        '¹' => T::Raised(b'1'),
        '²' => T::Raised(b'2'),
        '³' => T::Raised(b'3'),
        '⁴'..='⁹' => T::Raised(b'4' + (c as u32 - '⁴' as u32) as u8),
        '⁺' => T::Raised(b'+'),
        '⁻' => T::Raised(b'-'),
        'ⁿ' => T::Raised(b'n'),
        'ⁱ' => T::Raised(b'i'),
        '₀'..='₉' => T::Lowered(b'0' + (c as u32 - '₀' as u32) as u8),
        '½' => T::Vulgar(1, 2),
        '⅓' => T::Vulgar(1, 3),
        '⅔' => T::Vulgar(2, 3),
        '¼' => T::Vulgar(1, 4),
        '¾' => T::Vulgar(3, 4),
        '⅕' => T::Vulgar(1, 5),
        '⅖' => T::Vulgar(2, 5),
        '⅗' => T::Vulgar(3, 5),
        '⅘' => T::Vulgar(4, 5),
        '⅙' => T::Vulgar(1, 6),
        '⅚' => T::Vulgar(5, 6),
        '⅛' => T::Vulgar(1, 8),
        '⅜' => T::Vulgar(3, 8),
        '⅝' => T::Vulgar(5, 8),
        '⅞' => T::Vulgar(7, 8),
        '€' | '£' | '¥' => T::Currency,
        'π' => T::Constant(Constant::Pi),
        'ς' => T::Name("sigma"),
        'ϕ' => T::Name("phi"),
        'ϵ' => T::Name("epsilon"),
        'ϑ' => T::Name("theta"),
        'ϱ' => T::Name("rho"),
        'ℓ' => T::Name("ell"),
        'ℏ' => T::Name("hbar"),
        'µ' => T::Name("mu"),
        'α'..='ω' => T::Name(LOWER[c as usize - 'α' as usize]),
        'Γ' => T::Name("Gamma"),
        'Δ' | '∆' => T::Name("Delta"),
        'Θ' => T::Name("Theta"),
        'Λ' => T::Name("Lambda"),
        'Ξ' => T::Name("Xi"),
        'Π' => T::Name("Pi"),
        'Σ' => T::Name("Sigma"),
        'Φ' => T::Name("Phi"),
        'Ψ' => T::Name("Psi"),
        'Ω' => T::Name("Omega"),
        '∇' => T::Name("nabla"),
        '\u{a0}' | '\u{2009}' | '\u{200a}' | '\u{202f}' | '\u{2002}' | '\u{2003}' | '\u{2061}'
        | '\u{2062}' | '\u{200b}' | '\u{feff}' | '\u{3000}' => T::Skip,
        '\u{1d434}'..='\u{1d44d}' => T::Letter(b'A' + (c as u32 - 0x1d434) as u8),
        '\u{1d44e}'..='\u{1d467}' => T::Letter(b'a' + (c as u32 - 0x1d44e) as u8),
        'ℎ' => T::Letter(b'h'),
        'ⅇ' => T::Constant(Constant::E),
        'ⅈ' => T::Constant(Constant::I),
        'ⅆ' => T::Differential,
        _ => return None,
    })
}

const LOWER: [&str; 25] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_found_and_named_once() {
        for (name, token) in COMMANDS {
            assert_eq!(command(name), Some(*token), "{name}");
        }
        for row in FUNCTIONS {
            for name in row.commands {
                assert_eq!(command(name), Some(Token::Function(row.named)), "{name}");
            }
        }
        let mut names: Vec<_> = command_names().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "a command is named twice");
        assert_eq!(command("nosuchcommand"), None);
        assert_eq!(command(""), None);
    }

    #[test]
    fn slips_find_their_command() {
        assert_eq!(resembling("sinx"), Some("sin"));
        assert_eq!(resembling("farc"), Some("frac"));
        assert_eq!(resembling("cdit"), Some("cdot"));
        assert_eq!(resembling("infity"), Some("infty"));
        assert_eq!(resembling("thta"), Some("theta"));
        assert_eq!(resembling("sinalpha"), Some("sin"));
        assert_eq!(resembling("therefore"), None);
        assert_eq!(resembling("zzzzzz"), None);
    }
}
