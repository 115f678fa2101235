//! Work budgets, counted in units of about ten nanoseconds, never in time.

/// What is left of a budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fuel {
    left: u64,
}

impl Fuel {
    /// A budget of that many units.
    pub(crate) const fn new(units: u64) -> Self {
        Self { left: units }
    }

    /// Takes `units` away; `false`, with nothing left, when there are not that many.
    #[inline]
    pub(crate) fn spend(&mut self, units: u64) -> bool {
        match self.left.checked_sub(units) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.left = 0;
                false
            }
        }
    }

    /// Units left.
    pub(crate) const fn left(&self) -> u64 {
        self.left
    }
}
