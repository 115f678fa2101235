//! Reads tidied texts that are not mathematics: plain numbers, quantities with units, words, options, times.

pub(crate) mod number;
pub(crate) mod option;
pub(crate) mod remarks;
pub(crate) mod split;
mod symbols;
pub(crate) mod time;
pub(crate) mod units;
pub(crate) mod words;
