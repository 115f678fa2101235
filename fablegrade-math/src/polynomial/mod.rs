//! Exact polynomials: real roots, algebraic numbers, elimination.
//!
//! - [`univariate`]: one unknown, integer coefficients; greatest common divisors, square-free parts, signs.
//! - [`roots`]: isolation of real roots by Descartes' rule of signs, algebraic numbers with exact order and
//!   signs.
//! - [`irreducible`]: irreducibility over the rationals; common factors.
//! - [`sparse`]: many unknowns; norms over radicals.
//! - [`plane`]: two unknowns; the values of one over which the roots in the other change in number or order
//!   (cylindrical projection).
//!
//! Sizes are limited; most functions return `None` if a limit is exceeded.

pub mod irreducible;
pub mod plane;
pub mod roots;
pub mod sparse;
pub mod univariate;

pub use irreducible::{have_common_factor, is_irreducible};
pub use roots::{Algebraic, Root, compare_roots, real_roots};
pub use sparse::Sparse;
pub use univariate::Polynomial;
