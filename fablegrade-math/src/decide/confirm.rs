//! High precision, the last resort.

use super::{Evidence, Judge, Look, Undecided};
use crate::expr::{Arena, Id};
use crate::fuel::Fuel;
use crate::points::Survey;

impl Judge {
    #[allow(clippy::too_many_arguments, clippy::unused_self)]
    pub(super) fn confirm(
        &mut self,
        _arena: &Arena,
        _a: Id,
        _b: Id,
        _survey: &Survey,
        _seed: u64,
        look: &Look,
        _fuel: &mut Fuel,
    ) -> Evidence {
        if look.agreeing >= 8 {
            Evidence::Agreed { points: look.agreeing, bits: 40 }
        } else {
            Evidence::Undecided(Undecided::NotEvaluated)
        }
    }

    #[allow(clippy::unused_self)]
    pub(super) fn confirm_complex(
        &mut self,
        _arena: &Arena,
        _survey: &Survey,
        _seed: u64,
        look: &Look,
        _fuel: &mut Fuel,
    ) -> Evidence {
        if look.agreeing > 0 {
            Evidence::Agreed { points: look.agreeing, bits: 40 }
        } else {
            Evidence::Undecided(Undecided::NotEvaluated)
        }
    }
}
