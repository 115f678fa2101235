//! Bad outputs that every checker must survive: it must exit with code 0, print a valid result, and give no points for
//! rubbish.

/// An output file to give to a checker.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadOutput {
    /// The name, in kebab case.
    pub name: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
    /// Whether the checker must give no points for it. Altered copies of a good output may earn points.
    pub rubbish: bool,
}

/// The random number generator SplitMix64, with which a seed gives the same files on every platform.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }
}

const MEGABYTE: usize = 1_000_000;

const PROSE: &str = "The quick brown fox jumps over the lazy dog; 12 boxing wizards, quickly. Case closed. 3.14 is not \
                     a case, and neither is #7: it only looks like one.\n";

const BAD_NUMBERS: &str = "Case #: 1\nCase #0: 1\nCase #-1: 1\nCase #1.5: 1\nCase #one: 1\nCase ##1: 1\nCase#1: 1\n\
                           Case  #1: 1\nCase #1 : 1\nCase #1\nCase #99999999999999999999999999: 1\nCase #18446744073709551616: 1\n\
                           case 1: 1\n#1: 1\nCase #1";

/// Returns twenty cases with the same body.
fn headed(body: &str) -> Vec<u8> {
    let cases: Vec<String> = (1..=20).map(|case| format!("Case #{case}: {body}\n")).collect();
    cases.concat().into_bytes()
}

/// Returns the bad outputs, with altered copies of `good` (a correct output for the same input) unless it is absent or
/// empty. The same arguments give the same files.
pub fn bad_outputs(seed: u64, good: Option<&[u8]>) -> Vec<BadOutput> {
    let mut random = Random(seed);
    let mut all = Vec::new();
    let mut rubbish = |name, bytes: Vec<u8>| all.push(BadOutput { name, bytes, rubbish: true });
    rubbish("empty", Vec::new());
    rubbish("blanks", b" \t\n".repeat(1000));
    rubbish("random-1k", random.bytes(1000));
    rubbish("random-100k", random.bytes(100_000));
    rubbish("random-1m", random.bytes(MEGABYTE));
    rubbish("prose", PROSE.repeat(200).into_bytes());
    rubbish("integer-1m", b"7".repeat(MEGABYTE));
    rubbish("word-1m", b"a".repeat(MEGABYTE));
    rubbish("bad-case-numbers", BAD_NUMBERS.as_bytes().to_vec());
    rubbish("headers-only", headed(""));
    rubbish(
        "invalid-utf8",
        headed("\u{1}").iter().map(|byte| if *byte == 1 { 0xff } else { *byte }).collect(),
    );
    rubbish("nul-bytes", headed("\0\0\0"));
    rubbish("escape-sequences", headed("\u{1b}[2J\u{202e}\u{feff}"));
    rubbish("not-a-number", headed("nan"));
    rubbish("infinite", headed("-inf"));
    rubbish("huge-exponent", headed("1e999999999"));
    rubbish("long-integer", headed(&"9".repeat(5000)));
    rubbish("long-word", headed(&"z".repeat(50_000)));
    rubbish("json", b"{\"score\": 1.0, \"validation\": {\"cases\": [], \"alerts\": []}, \"feedback\": {\"cases\": [], \"alerts\": []}}\n".to_vec());
    rubbish("brackets", headed(&"[".repeat(20_000)));
    rubbish("many-headers", (0..60_000).flat_map(|_| *b"Case #1: x\n").collect());
    let Some(good) = good.filter(|good| !good.is_empty()) else { return all };
    let mut changed = |name, bytes| all.push(BadOutput { name, bytes, rubbish: false });
    changed("good-cut-in-half", good.get(..good.len() / 2).unwrap_or_default().to_vec());
    changed("good-without-last-byte", good.get(..good.len() - 1).unwrap_or_default().to_vec());
    changed("good-twice", [good, good].concat());
    changed("good-with-crlf", crlf(good));
    changed("good-with-byte-order-mark", [b"\xef\xbb\xbf", good].concat());
    changed("good-behind-rubbish", [PROSE.as_bytes(), good].concat());
    changed("good-before-rubbish", [good, PROSE.as_bytes()].concat());
    let mut flipped = good.to_vec();
    for _ in 0..16 {
        let at = random.below(flipped.len());
        if let Some(byte) = flipped.get_mut(at) {
            *byte ^= 1 << random.below(8);
        }
    }
    changed("good-with-flipped-bits", flipped);
    let mut lines: Vec<&[u8]> = good.split_inclusive(|byte| *byte == b'\n').collect();
    for at in (1..lines.len()).rev() {
        lines.swap(at, random.below(at + 1));
    }
    changed("good-with-shuffled-lines", lines.concat());
    all
}

fn crlf(text: &[u8]) -> Vec<u8> {
    text.iter().flat_map(|byte| if *byte == b'\n' { vec![b'\r', b'\n'] } else { vec![*byte] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_same_seed_gives_the_same_files_and_another_seed_others() {
        let good = b"Case #1: 5\nCase #2: 7\n";
        assert_eq!(bad_outputs(1, Some(good)), bad_outputs(1, Some(good)));
        assert_ne!(bad_outputs(1, None), bad_outputs(2, None));
        let all = bad_outputs(3, Some(good));
        let names: BTreeSet<_> = all.iter().map(|one| one.name).collect();
        assert_eq!(names.len(), all.len());
        assert!(all.iter().any(|one| std::str::from_utf8(&one.bytes).is_err()));
        assert_eq!(all.len(), bad_outputs(3, None).len() + 9);
    }

    #[test]
    fn our_own_parser_survives_them_and_gives_nothing_for_rubbish() {
        use crate::cases::{Parser, output_text};
        use crate::result::{CheckerResult, Expected};
        let good = b"Case #1: 10\nCase #2: 20\nCase #3: 30\n";
        for bad in bad_outputs(7, Some(good)) {
            let text = output_text(&bad.bytes);
            let report = Parser::new(3, &text).unwrap().run(|case, stream| {
                let value = stream.int()?;
                stream.end()?;
                Ok((value == 10 * case as i128).into())
            });
            let printed = report.to_json().to_canonical();
            let (result, _) = CheckerResult::read(printed.as_bytes(), &Expected::default().cases(3)).unwrap();
            assert!(!bad.rubbish || result.score().is_zero(), "{}: {}", bad.name, result.score());
        }
    }
}
