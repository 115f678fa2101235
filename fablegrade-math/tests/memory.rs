//! Comparisons of hostile input use less than 64 MiB at once.
#![allow(unsafe_code)]

use fablegrade_math::{Expression, Options, compare};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator with counters of the bytes in use and of their maximum.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn taken(bytes: usize) {
    let held = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(held, Ordering::Relaxed);
}

// SAFETY: every call goes to the system's allocator with the same arguments; the counters do not affect it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        taken(size);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn hostile_pairs_hold_little_memory() {
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}x{}", open.repeat(depth), close.repeat(depth));
    let names: Vec<String> = (0..120).map(|n| format!("x_{{{n}}}")).collect();
    let pairs: Vec<(String, String)> = vec![
        ("9^{9^{9}}".into(), "9^{9^{9}}+1".into()),
        ("5^{5^{5^{5^5}}}".into(), "5^{5^{5^{5^{6}}}}".into()),
        ("(10^6)!".into(), "(10^6)!+1".into()),
        ("3!!!!!!!!".into(), "x!!!!!!!!".into()),
        (r"\binom{10^9}{5\cdot 10^8}".into(), "1".into()),
        ("(x+y+z+a+b+t)^{30}-(x-y)^{31}".into(), "0".into()),
        ("(x+y+z+a+b+t)^{30}".into(), "(x+y+z+a+b+t)^{29}(x+y+z+a+b+t)+1".into()),
        ("x^{99999999999999999999999999}".into(), "x^{99999999999999999999999998}".into()),
        (r"1.00000000001^{10^{12}}".into(), "2".into()),
        ("9".repeat(20_000), "8".repeat(20_000)),
        (format!("{}1", "9!".repeat(2_000)), "1".into()),
        (nested("(", ")", 2_000), "x".into()),
        (nested("|", "|", 2_000), "x".into()),
        (nested(r"\sqrt{", "}", 190), "x".into()),
        (nested(r"-1\le\boxed{", r"}\le x<4", 26), r"-1\le x<4".into()),
        (nested(r"0\in(x\in\{x\mid ", r"\}\subset A)", 26), "x".into()),
        (format!("{}x", "x+".repeat(9_000)), "9001x".into()),
        (names.join("+"), names.join(r"\cdot ")),
        (r"\sum_{k=1}^{1000}\sin(kx)".into(), r"\sum_{k=1}^{999}\sin(kx)".into()),
        (r"\sum_{k=1}^{n}\sum_{j=1}^{n}\sum_{i=1}^{n} 1".into(), "n^3".into()),
        (r"\lim_{x\to0}\frac{(\sin x+\tan x+e^x)^{20}-1}{x^{30}}".into(), "1".into()),
        (r"\int_0^1(x+1)^{24}(x-1)^{24}e^{x}\,dx".into(), "1".into()),
        (r"\max(|x|,|y|,|z|,\lfloor x\rfloor,\lfloor y\rfloor)".into(), r"\max(|x|,|y|,|z|)".into()),
    ];
    let options = Options::new();
    let before = HELD.load(Ordering::Relaxed);
    for (a, b) in &pairs {
        MOST.store(HELD.load(Ordering::Relaxed), Ordering::Relaxed);
        let _ = (compare(a, b, &options), Expression::parse(a, &options));
        let most = MOST.load(Ordering::Relaxed) - before;
        assert!(most < 64 << 20, "{most} bytes for {} and {}", &a[..a.len().min(80)], &b[..b.len().min(80)]);
    }
    // The counters work: a vector of 1 MiB is counted.
    MOST.store(HELD.load(Ordering::Relaxed), Ordering::Relaxed);
    let floor = MOST.load(Ordering::Relaxed);
    drop(vec![0u8; 1 << 20]);
    assert!(MOST.load(Ordering::Relaxed) - floor >= 1 << 20);
}
