//! What C owns. Each handle has exactly one kind of ownership, and the functions that make and end one ask for it: to
//! free a shared handle as if it had one owner does not compile.

use std::sync::Arc;

/// C owns it alone and frees it once.
pub(crate) enum Alone {}

/// C owns references to it and gives back each of them; the last one ends it.
pub(crate) enum Shared {}

/// A type that C knows only by pointers.
pub(crate) trait Handle: Sized {
    /// [`Alone`] or [`Shared`].
    type Ownership;
}

/// Hands a value to C.
pub(crate) fn give<T: Handle<Ownership = Alone>>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Ends what [`give`] handed out; NULL is fine.
///
/// # Safety
/// `handle` is NULL or came from [`give`] and was not freed.
pub(crate) unsafe fn free<T: Handle<Ownership = Alone>>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: it came from `Box::into_raw` and has no other owner, as the caller promises.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// Hands the first reference to a value to C.
pub(crate) fn share<T: Handle<Ownership = Shared>>(value: T) -> *const T {
    Arc::into_raw(Arc::new(value))
}

/// One reference more; NULL stays NULL.
///
/// # Safety
/// `handle` is NULL or a reference from [`share`] or [`retain`] that was not released.
pub(crate) unsafe fn retain<T: Handle<Ownership = Shared>>(handle: *const T) -> *const T {
    if !handle.is_null() {
        // SAFETY: it came from `Arc::into_raw` and at least one reference is left, as the caller promises.
        unsafe { Arc::increment_strong_count(handle) };
    }
    handle
}

/// One reference less; NULL is fine.
///
/// # Safety
/// `handle` is NULL or a reference from [`share`] or [`retain`] that was not released.
pub(crate) unsafe fn release<T: Handle<Ownership = Shared>>(handle: *const T) {
    if !handle.is_null() {
        // SAFETY: as for `retain`; this reference is not used again.
        drop(unsafe { Arc::from_raw(handle) });
    }
}
