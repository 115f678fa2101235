//! STACK questions.

use super::question::Question;
use super::xml::Reading;
use crate::item::Item;

pub(super) fn item(_reading: &Reading<'_>, question: Question, id: &str) -> Item {
    super::item(question, id)
}
