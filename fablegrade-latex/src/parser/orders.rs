//! Orders of derivatives in exponents: `y^{(4)}`, `f^{(n)}(x)`.

use super::Parser;

/// Letters that usually are functions, so a bracket in their exponent is the order of a derivative.
const DERIVED: [char; 8] = ['f', 'g', 'h', 'F', 'G', 'H', 'y', 'u'];

/// Those that are as often quantities.
const QUANTITIES: [char; 3] = ['g', 'h', 'u'];

/// The largest order that is written as primes in a name.
const MOST_PRIMES: u32 = 8;

/// The order of a derivative.
#[derive(Clone, Copy)]
pub(super) enum Order<'s> {
    /// As many primes.
    Primes(u32),
    /// A letter or a large number.
    Written(&'s str),
}

impl<'s> Parser<'s, '_, '_> {
    /// Consumes an exponent that is the order of a derivative of `name`: round brackets around a whole number or a
    /// letter, in braces.
    ///
    /// It is a power for other names, and in doubt for declared variables, for `\left(`, which editors insert, and for
    /// the index of a sum.
    pub(super) fn order_exponent(&mut self, name: &str) -> Option<Order<'s>> {
        let (inner, end) = self.lexer.braced_at(self.token.end as usize)?;
        let text = self.lexer.text(inner).trim();
        let sized = text.strip_prefix("\\left(").and_then(|rest| rest.strip_suffix("\\right)"));
        let inside = sized.or_else(|| text.strip_prefix('(')?.strip_suffix(')'))?.trim();
        let order = match inside.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => Order::Written(inside),
            [_] | [_, _] if inside.bytes().all(|byte| byte.is_ascii_digit()) => match inside.parse() {
                Ok(number) if number <= MOST_PRIMES => Order::Primes(number),
                _ => Order::Written(inside),
            },
            _ => return None,
        };
        let base = name.split('_').next().unwrap_or(name);
        let is_function = self.names.is_function(name);
        let is_derived = is_function || base.len() == 1 && base.starts_with(DERIVED);
        if !is_derived {
            return None;
        }
        let letter = inside.bytes().next().filter(u8::is_ascii_alphabetic);
        let is_bound = letter.is_some_and(|letter| self.bound & (1 << letter) != 0);
        // `h^{(2)}` may be a height, and an x is not an order.
        let is_usual = match letter {
            Some(letter) => matches!(letter, b'i' | b'j' | b'k' | b'm' | b'n'),
            None => !base.starts_with(QUANTITIES) || self.opens_bracket(end),
        };
        if is_bound || !is_function && (sized.is_some() || !is_usual || self.names.is_variable(name)) {
            self.tree.doubtful.orders = true;
            if !self.names.other_orders {
                return None;
            }
        }
        self.lexer.at = end;
        self.token.end = end as u32;
        self.advance();
        Some(order)
    }

    /// Returns whether a round bracket opens at a position.
    fn opens_bracket(&self, at: usize) -> bool {
        let next = self.lexer.after(at).trim_start();
        next.strip_prefix("\\left").unwrap_or(next).starts_with('(')
    }
}
