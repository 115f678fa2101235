//! Text columns of Arrow tables.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray};
use arrow_schema::DataType;

/// Returns whether a column of this type can be read as texts.
pub(crate) fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// A column of texts, read as bytes that need not be UTF-8.
pub(crate) struct Texts {
    values: Values,
    /// For a dictionary array, the index of each row's value, and the array, which tells which rows are null.
    keys: Option<(Vec<usize>, ArrayRef)>,
}

enum Values {
    Short(BinaryArray),
    Long(LargeBinaryArray),
    View(BinaryViewArray),
    Nothing,
}

impl Texts {
    pub(crate) fn of(array: &ArrayRef) -> Self {
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            let values = dictionary.values();
            if values.is_empty() {
                return Self { values: Values::Nothing, keys: None };
            }
            let keys = dictionary.normalized_keys();
            return Self { values: Values::of(values), keys: Some((keys, Arc::clone(array))) };
        }
        Self { values: Values::of(array), keys: None }
    }

    pub(crate) fn get(&self, row: usize) -> Option<&[u8]> {
        match &self.keys {
            None => self.values.get(row),
            Some((_, rows)) if rows.is_null(row) => None,
            Some((keys, _)) => self.values.get(*keys.get(row)?),
        }
    }
}

impl Values {
    fn of(array: &ArrayRef) -> Self {
        match array.data_type() {
            DataType::Utf8 => Self::Short(BinaryArray::from(array.as_string::<i32>().clone())),
            DataType::LargeUtf8 => Self::Long(LargeBinaryArray::from(array.as_string::<i64>().clone())),
            DataType::Utf8View => Self::View(array.as_string_view().clone().to_binary_view()),
            DataType::Binary => Self::Short(array.as_binary::<i32>().clone()),
            DataType::LargeBinary => Self::Long(array.as_binary::<i64>().clone()),
            DataType::BinaryView => Self::View(array.as_binary_view().clone()),
            _ => Self::Nothing,
        }
    }

    fn get(&self, at: usize) -> Option<&[u8]> {
        match self {
            Self::Short(array) => array.is_valid(at).then(|| array.value(at)),
            Self::Long(array) => array.is_valid(at).then(|| array.value(at)),
            Self::View(array) => array.is_valid(at).then(|| array.value(at)),
            Self::Nothing => None,
        }
    }
}
