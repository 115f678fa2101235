//! The random numbers of a deployed variant: STACK's functions, based on Maxima's generator.
//!
//! The generator is the Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998) with the initialisation of 2002.

use super::maxima::Expr;
use super::numbers::Number;

const N: usize = 624;
const M: usize = 397;

/// A generator, initialised like Maxima's `make_random_state(seed)`.
pub(super) struct Random {
    state: [u32; N],
    next: usize,
}

impl std::fmt::Debug for Random {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Random").field("next", &self.next).finish_non_exhaustive()
    }
}

impl Random {
    /// Creates the generator for a seed.
    pub(super) fn new(seed: u32) -> Self {
        let mut state = [seed; N];
        for k in 1..N {
            let before = state[k - 1];
            state[k] = 1_812_433_253u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(k as u32);
        }
        Self { state, next: N }
    }

    fn update(&mut self) {
        for k in 0..N {
            let y = (self.state[k] & 0x8000_0000) | (self.state[(k + 1) % N] & 0x7fff_ffff);
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[k] = self.state[(k + M) % N] ^ (y >> 1) ^ odd;
        }
        self.next = 0;
    }

    fn chunk(&mut self) -> u32 {
        if self.next == N {
            self.update();
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// Returns a number from 0 to `n - 1`, like `random(n)`; `None` if `n` is below 1 or above 2^32. It makes one draw,
    /// or none if `n` is 1.
    fn below(&mut self, n: i128) -> Option<i128> {
        match n {
            1 => Some(0),
            2..=0x1_0000_0000 => Some(i128::from(self.chunk()) % n),
            _ => None,
        }
    }

    fn one_of(&mut self, items: &[Expr]) -> Option<Expr> {
        let at = self.below(items.len() as i128)?;
        items.get(usize::try_from(at).ok()?).cloned()
    }

    /// Evaluates a call of a random function. `None` if it is not supported; then all later draws are unknown too.
    pub(super) fn call(&mut self, name: &str, arguments: &[Expr]) -> Option<Expr> {
        let number = |at: usize| Number::of(arguments.get(at)?);
        let whole = |at: usize| number(at)?.whole();
        match (name, arguments) {
            ("rand", [Expr::List(items)]) => self.one_of(items),
            ("rand" | "random", [_]) => Some(Number::Exact(self.below(whole(0)?)?, 1).expr()),
            ("rand_with_step", [_, _, _]) => {
                let (low, high, step) = (number(0)?, number(1)?, number(2)?);
                let steps = high.minus(low)?.over(step)?.floor()?;
                let drawn = self.below(steps.checked_add(1)?)?;
                Some(step.times(Number::Exact(drawn, 1))?.plus(low)?.expr())
            }
            ("rand_with_prohib", [_, _, Expr::List(prohibited)]) => {
                let (low, high) = (whole(0)?, whole(1)?);
                if high.checked_sub(low)? > 10_000 {
                    return None;
                }
                let prohibited: Vec<Number> = prohibited.iter().map(Number::of).collect::<Option<_>>()?;
                let left = (low..=high).map(|value| Number::Exact(value, 1));
                let left: Vec<Expr> =
                    left.filter(|one| !prohibited.contains(one)).map(Number::expr).collect();
                self.one_of(&left)
            }
            ("rand_range", [_, _]) => {
                let (low, high) = (whole(0)?, whole(1)?);
                Some(Number::Exact(low.checked_add(self.below(high.checked_sub(low)?)?)?, 1).expr())
            }
            ("rand_range", [_, _, _]) => {
                let (low, high, step) = (whole(0)?, whole(1)?, whole(2)?);
                let steps =
                    Number::Exact(high, 1).minus(Number::Exact(low, 1))?.over(Number::Exact(step, 1))?;
                let drawn = self.below(steps.floor()?)?;
                Some(Number::Exact(low.checked_add(step.checked_mul(drawn)?)?, 1).expr())
            }
            ("rand_selection", [Expr::List(items), _]) => {
                let wanted = usize::try_from(whole(1)?).ok().filter(|wanted| *wanted <= items.len())?;
                let mut left = items.clone();
                let mut chosen = Vec::new();
                for _ in 0..wanted {
                    let at = usize::try_from(self.below(left.len() as i128)?).ok()?;
                    chosen.push(left.remove(at));
                }
                Some(Expr::List(chosen))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_that_of_its_authors() {
        // The first numbers of the reference implementation for the seed 5489.
        let mut random = Random::new(5489);
        let first: Vec<u32> = (0..5).map(|_| random.chunk()).collect();
        assert_eq!(first, [3_499_211_612, 581_869_302, 3_890_346_734, 3_586_334_585, 545_404_204]);
        // The 10,000th number, as the C++ standard specifies it.
        let last = (5..10_000).map(|_| random.chunk()).last();
        assert_eq!(last, Some(4_123_659_995));
    }

    #[test]
    fn functions_draw_once_and_stay_in_their_bounds() {
        let number = |value: i128| Number::Exact(value, 1).expr();
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut draw = |name: &str, arguments: &[Expr]| {
                let before = random.next % N;
                let value = random.call(name, arguments).unwrap();
                (Number::of(&value).and_then(Number::whole).unwrap(), (random.next - before % N) % N)
            };
            assert!(matches!(draw("rand", &[number(5)]), (0..5, _)));
            assert_eq!(draw("rand", &[number(1)]), (0, 0));
            let (step, _) = draw("rand_with_step", &[number(-4), number(5), number(3)]);
            assert!([-4, -1, 2, 5].contains(&step));
            let (other, drawn) =
                draw("rand_with_prohib", &[number(-1), number(1), Expr::List(vec![number(0)])]);
            assert!((other == -1 || other == 1) && drawn == 1);
            assert!(matches!(draw("rand_range", &[number(2), number(4)]), (2..4, 1)));
        }
        assert_eq!(Random::new(1).call("random_permutation", &[Expr::List(Vec::new())]), None);
    }
}
