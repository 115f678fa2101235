//! Products whose factors are not numbers. As numbers, `\vec a\times\vec b` and `\vec b\times\vec a` would be the
//! same, and so would `A^{-1}B` and `BA^{-1}`.

use crate::decide::Evidence;
use crate::expression::Expression;
use crate::latex::matrix_letters::MatrixProducts;
use crate::latex::vectors::has_vector_product;
use crate::symbols::Declarations;

/// Returns whether what was found for numbers says nothing about two texts, since they have products of vectors or
/// matrices. Numbers are matrices with one entry, so a difference of numbers is one of matrices.
pub(super) fn may_differ(
    reference: &Expression,
    submission: &Expression,
    names: &Declarations,
    evidence: &Evidence,
) -> bool {
    let sides = [reference.syntax(), submission.syntax()];
    // Most texts have no capital letter, and bytes are searched faster than trees.
    let has_capital = |side: &Expression| side.source().bytes().any(|byte| byte.is_ascii_uppercase());
    let may_be_matrices = || {
        evidence.is_equal() && has_capital(reference) && has_capital(submission) && {
            let [first, second] = sides.map(|side| MatrixProducts::of(side, names));
            first.may_differ(&second)
        }
    };
    let may_differ = sides.into_iter().any(has_vector_product) || may_be_matrices();
    may_differ && !reference.is_written_as(submission)
}
