//! Handles that C owns. Each type has one kind of ownership, which the functions that create and free handles
//! require. Code that frees a shared handle as if it had a single owner does not compile.
//!
//! Each handle begins with a tag of its type, which is cleared when the handle is freed. A pointer without the right
//! tag is refused: this detects handles that were freed or are of another type, provided that their memory can still be
//! read.

use std::sync::Arc;

use crate::arguments::null;
use crate::boundary::Failure;
use crate::status::fg_status;

/// C is the only owner of the handle and frees it once.
pub(crate) enum Unique {}

/// C owns references to the handle and releases each of them; the last release frees it.
pub(crate) enum Shared {}

/// A type that C accesses only through pointers.
pub(crate) trait Handle: Sized {
    /// The kind of ownership: [`Unique`] or [`Shared`].
    type Ownership;
    /// The tag at the start of a live handle, unique to this type.
    const TAG: u64;
    /// The type's name in the header.
    const NAME: &'static str;
}

/// The memory layout of a handle: the tag comes first for every type.
#[repr(C)]
struct Tagged<T> {
    tag: Tag,
    value: T,
}

/// The tag of a handle; cleared when the handle is freed.
struct Tag(u64);

impl Drop for Tag {
    fn drop(&mut self) {
        // SAFETY: a field of a live value. The write is volatile, because the compiler sees no later read and
        // could remove it.
        unsafe { std::ptr::write_volatile(&raw mut self.0, 0) };
    }
}

fn tagged<T: Handle>(value: T) -> Tagged<T> {
    Tagged { tag: Tag(T::TAG), value }
}

/// Returns whether a pointer leads to the tag of a live handle of type `T`.
///
/// # Safety
/// `handle` is NULL or points to memory that can be read.
unsafe fn is_live<T: Handle>(handle: *const T) -> bool {
    let tag = handle.cast::<u64>();
    if tag.is_null() || !tag.is_aligned() {
        return false;
    }
    // SAFETY: readable, as the caller guarantees; volatile, since a caller that broke its guarantee may have freed it.
    unsafe { std::ptr::read_volatile(tag) == T::TAG }
}

/// Returns the handle that C passed.
///
/// # Safety
/// `handle` is NULL, or points to readable memory; a live one stays alive and unchanged for `'a`.
pub(crate) unsafe fn live<'a, T: Handle>(name: &str, handle: *const T) -> Result<&'a T, Failure> {
    if handle.is_null() {
        return Err(null(name));
    }
    // SAFETY: the caller guarantees it.
    if !unsafe { is_live(handle) } {
        let message =
            format!("the argument `{name}` is not a live {}: it was freed, or is something else", T::NAME);
        let help = "use a handle only between the call that gave it and the one that frees it";
        return Err(crate::arguments::refuse(fg_status::FG_BAD_HANDLE, "bad-handle", name, message, help));
    }
    // SAFETY: the handle is live, as its tag shows and the caller guarantees.
    Ok(unsafe { &(*handle.cast::<Tagged<T>>()).value })
}

/// Works like [`live`] for functions without a status: `None` for NULL and for a handle that is not live.
///
/// # Safety
/// The same as for [`live`].
pub(crate) unsafe fn maybe<'a, T: Handle>(handle: *const T) -> Option<&'a T> {
    // SAFETY: the caller guarantees it.
    unsafe { is_live(handle).then(|| &(*handle.cast::<Tagged<T>>()).value) }
}

/// Makes a handle for C, which then owns the value.
pub(crate) fn give<T: Handle<Ownership = Unique>>(value: T) -> *mut T {
    Box::into_raw(Box::new(tagged(value))).cast()
}

/// Frees a handle from [`give`]; does nothing for NULL and for a handle that is not live.
///
/// # Safety
/// `handle` is NULL or came from [`give`].
pub(crate) unsafe fn free<T: Handle<Ownership = Unique>>(handle: *mut T) {
    // SAFETY: it came from `Box::into_raw` and has no other owner, as the caller guarantees and its tag
    // shows.
    unsafe {
        if is_live(handle) {
            drop(Box::from_raw(handle.cast::<Tagged<T>>()));
        }
    }
}

/// Makes a shared handle for C, which then owns the first reference to the value.
pub(crate) fn share<T: Handle<Ownership = Shared>>(value: T) -> *const T {
    Arc::into_raw(Arc::new(tagged(value))).cast()
}

/// Adds a reference; returns NULL for NULL and for a handle that is not live.
///
/// # Safety
/// `handle` is NULL or a reference from [`share`] or [`retain`].
pub(crate) unsafe fn retain<T: Handle<Ownership = Shared>>(handle: *const T) -> *const T {
    // SAFETY: it came from `Arc::into_raw` and at least one reference exists, as the caller guarantees and
    // its tag shows.
    unsafe {
        if !is_live(handle) {
            return std::ptr::null();
        }
        Arc::increment_strong_count(handle.cast::<Tagged<T>>());
    }
    handle
}

/// Releases a reference; does nothing for NULL and for a handle that is not live.
///
/// # Safety
/// `handle` is NULL or a reference from [`share`] or [`retain`].
pub(crate) unsafe fn release<T: Handle<Ownership = Shared>>(handle: *const T) {
    // SAFETY: as for `retain`; this reference is not used again.
    unsafe {
        if is_live(handle) {
            drop(Arc::from_raw(handle.cast::<Tagged<T>>()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::MaybeUninit;

    struct One;
    struct Other;

    impl Handle for One {
        type Ownership = Unique;
        const TAG: u64 = 0x0e0e;
        const NAME: &'static str = "fg_one";
    }

    impl Handle for Other {
        type Ownership = Unique;
        const TAG: u64 = 0x0f0f;
        const NAME: &'static str = "fg_other";
    }

    #[test]
    fn a_handle_is_live_until_it_is_freed_and_only_for_its_type() {
        let mut memory = MaybeUninit::new(tagged(One));
        let handle = memory.as_mut_ptr();
        // SAFETY: the memory outlives its value, so it can still be read after the drop, as that of a freed
        // handle often can.
        unsafe {
            assert!(is_live(handle.cast::<One>()) && !is_live(handle.cast::<Other>()));
            assert!(
                live("one", handle.cast::<One>()).is_ok() && live("one", handle.cast::<Other>()).is_err()
            );
            std::ptr::drop_in_place(handle);
            assert!(!is_live(handle.cast::<One>()) && maybe(handle.cast::<One>()).is_none());
            // This must do nothing, because the memory did not come from the allocator.
            free(handle.cast::<One>());
            assert!(!is_live(std::ptr::null::<One>()) && !is_live(handle.cast::<u8>().add(1).cast::<One>()));
        }
    }
}
