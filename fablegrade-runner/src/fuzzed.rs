//! Properties of everything that a program, or an attacker in a sandbox, can send to the runner. Fuzzers
//! check them; they are not part of the public interface.

use crate::sandbox::frames;

/// Checks that the path of a file in a packet from the control socket stays below its folder. Bytes read as a
/// start order are refused or contain at least two strings.
pub fn packet(bytes: &[u8]) {
    if let frames::Frame::File { path, .. } = frames::read(bytes) {
        let within = path.split('/').all(|part| !matches!(part, "" | "." | ".."));
        assert!(within && !path.contains('\0'), "{path:?}");
    }
    if let Some(strings) = frames::read_strings(bytes) {
        assert!(strings.len() >= 2, "a folder to start in and a program");
        let bytes_said: usize = strings.iter().map(String::len).sum();
        // A byte that is not valid UTF-8 becomes a character of three bytes.
        assert!(bytes_said <= 3 * bytes.len());
    }
}

/// Returns the value that a function returned, if the channel holds exactly one frame with the tag of the
/// input.
pub fn returned(input: &[u8], channel: &[u8]) -> Option<Vec<u8>> {
    let value = crate::runner::framed(input, channel.to_vec());
    if let Some(value) = &value {
        let tag = input.split(|byte| *byte == b'\n').next().unwrap_or_default();
        assert_eq!([tag, b" ", value, b"\n"].concat(), channel);
        assert!(!value.contains(&b'\n'));
    }
    value
}
