//! Delivery views.

use fablegrade_public::DeliveryView;

use crate::answer::AnswerSpec;
use crate::shuffle::Order;

/// Returns the view of a question for a learner: without its key, shuffled by `seed`.
///
/// The view depends only on the public fields and the seed: two specs that agree in every public field give
/// byte-identical views. Shuffling starts from the sorted public content of the items, not from the author's
/// order, which often is the key. Choices keep the author's order if `shuffleChoices` is false. The same seed
/// gives the same view, so derive it from the attempt or the learner.
///
/// ```
/// use fablegrade_core::{AnswerSpec, deliver};
///
/// let spec = AnswerSpec::from_json(r#"{"type":"numeric","answer":{"value":42},"inputHint":"an integer"}"#)?;
/// assert_eq!(
///     deliver(&spec, "learner 7").to_json(),
///     r#"{"inputHint":"an integer","integerOnly":false,"type":"numeric"}"#
/// );
/// # Ok::<(), fablegrade_core::Error>(())
/// ```
pub fn deliver(spec: &AnswerSpec, seed: impl AsRef<[u8]>) -> DeliveryView {
    spec.view(&Order::Shuffled(seed.as_ref()))
}
