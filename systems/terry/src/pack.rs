//! Packs: a contest in one file, as the server accepts it.
//!
//! | bytes | content |
//! |---|---|
//! | 32 | SHA-256 of all following bytes |
//! | 1 | version, 0 or 1 |
//! | version 0: 1024; version 1: a length in 4 bytes (big-endian), then as many bytes | public metadata in YAML; padded with zeros in version 0 |
//! | the rest | a `.zip` of the contest in a NaCl secret box: 24 bytes of nonce, 16 of authenticator, the encrypted archive |
//!
//! The key is derived from the file's password by scrypt (N = 2¹⁷, r = 8, p = 1; 128 MiB of memory) with a fixed salt.

use crypto_secretbox::aead::{Aead as _, KeyInit as _};
use crypto_secretbox::{Key, Nonce, XSalsa20Poly1305};
use fablegrade_public::finding::{Error, ErrorKind, Finding};
use sha2::{Digest as _, Sha256};

/// Maximum size of a pack, in bytes: 256 MiB.
pub const MAX_BYTES: usize = 256 << 20;

const DIGEST: usize = 32;
const OLD_METADATA: usize = 1_024;
const NONCE: usize = 24;
const SALT: [u8; 32] = [
    0x5b, 0x6a, 0x78, 0xa7, 0x80, 0xea, 0x0e, 0xe5, 0x60, 0x44, 0x2c, 0xf5, 0xa5, 0x28, 0xf0, 0xfb, 0x74,
    0x3d, 0x79, 0xe4, 0x5a, 0x3a, 0x33, 0xaf, 0x68, 0x67, 0x1e, 0xba, 0x9c, 0xde, 0x0e, 0x17,
];

/// A pack with a correct checksum.
#[derive(Clone, PartialEq, Eq)]
pub struct Pack<'p> {
    /// The version, 0 or 1.
    pub version: u8,
    /// Public metadata as YAML, without the zeros of version 0.
    pub metadata: &'p [u8],
    sealed: &'p [u8],
}

impl std::fmt::Debug for Pack<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pack(version {}, {} bytes of metadata)", self.version, self.metadata.len())
    }
}

fn refused(rule: &'static str, message: impl Into<String>, help: &str) -> Error {
    Error::single(ErrorKind::Spec, Finding::error(rule, "", message, help))
}

/// Returns whether the bytes are a pack: the first 32 are the checksum of the rest, which is not empty. Takes linear
/// time.
pub fn is_pack(bytes: &[u8]) -> bool {
    bytes
        .split_at_checked(DIGEST)
        .is_some_and(|(digest, rest)| !rest.is_empty() && Sha256::digest(rest).as_slice() == digest)
}

impl<'p> Pack<'p> {
    /// Reads a pack up to its encrypted part.
    ///
    /// # Errors
    /// `pack-checksum`, `pack-version`, `pack-form`; more than [`MAX_BYTES`] (`too-large`).
    pub fn parse(bytes: &'p [u8]) -> Result<Self, Error> {
        if bytes.len() > MAX_BYTES {
            let message = format!("the pack has more than {MAX_BYTES} bytes");
            return Err(refused("too-large", message, "leave large files out of the contest"));
        }
        if !is_pack(bytes) {
            let message = "the checksum in front of the pack is not that of its content";
            return Err(refused("pack-checksum", message, "copy the file again, or pack it again"));
        }
        let short = || refused("pack-form", "the pack ends before its parts do", "pack the contest again");
        let (version, rest) = bytes[DIGEST..].split_first().ok_or_else(short)?;
        let (metadata, sealed) = match version {
            0 => {
                let (metadata, sealed) = rest.split_at_checked(OLD_METADATA).ok_or_else(short)?;
                let end = metadata.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                (&metadata[..end], sealed)
            }
            1 => {
                let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
                let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| short())?;
                rest.split_at_checked(length).ok_or_else(short)?
            }
            other => {
                let message = format!("unknown version {other} of the pack; the known versions are 0 and 1");
                return Err(refused("pack-version", message, "pack the contest with a released packer"));
            }
        };
        Ok(Self { version: *version, metadata, sealed })
    }

    /// Returns the decrypted `.zip` archive. Deriving the key takes 128 MiB of memory and a few tenths of a second,
    /// whatever the pack's size.
    ///
    /// # Errors
    /// `pack-password`: a wrong password, or an invalid encrypted part.
    pub fn decrypt(&self, password: &[u8]) -> Result<Vec<u8>, Error> {
        let wrong = || {
            refused(
                "pack-password",
                "the pack does not open with this password",
                "give the password that the packer printed",
            )
        };
        let mut key = Key::default();
        let params = scrypt::Params::new(17, 8, 1, key.len()).map_err(|_| wrong())?;
        scrypt::scrypt(password, &SALT, &params, &mut key).map_err(|_| wrong())?;
        let (nonce, content) = self.sealed.split_at_checked(NONCE).ok_or_else(wrong)?;
        XSalsa20Poly1305::new(&key).decrypt(Nonce::from_slice(nonce), content).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_checksum(content: &[u8]) -> Vec<u8> {
        [Sha256::digest(content).as_slice(), content].concat()
    }

    /// A secret box made by PyNaCl: the key for the password `secret`, a nonce of 24 bytes `0x07`, the content `hello`.
    const BOX: &str =
        "070707070707070707070707070707070707070707070707ad16a84d43426878625c1eb1a88a9768369bbe1f59";

    fn sealed() -> Vec<u8> {
        (0..BOX.len()).step_by(2).map(|at| u8::from_str_radix(&BOX[at..at + 2], 16).unwrap()).collect()
    }

    #[test]
    fn both_versions_are_read_and_opened_with_their_password() {
        let metadata = b"name: Final\n";
        let old = [&[0][..], metadata, &[0; OLD_METADATA - 12], &sealed()].concat();
        let new = [&[1][..], &12u32.to_be_bytes(), metadata, &sealed()].concat();
        for (version, content) in [(0, old), (1, new)] {
            let bytes = with_checksum(&content);
            assert!(is_pack(&bytes));
            let pack = Pack::parse(&bytes).unwrap();
            assert_eq!((pack.version, pack.metadata), (version, &metadata[..]));
            assert_eq!(pack.decrypt(b"secret").unwrap(), b"hello");
            assert_eq!(pack.decrypt(b"Secret").unwrap_err().rule(), "pack-password");
        }
    }

    #[test]
    fn invalid_packs_are_refused_with_a_reason() {
        let rule = |bytes: &[u8]| Pack::parse(bytes).unwrap_err().rule().to_owned();
        assert_eq!(rule(b""), "pack-checksum");
        assert_eq!(rule(&[0; 64]), "pack-checksum");
        assert_eq!(rule(&with_checksum(&[2, 0])), "pack-version");
        assert_eq!(rule(&with_checksum(&[0, 1, 2])), "pack-form");
        assert_eq!(rule(&with_checksum(&[1, 0xff, 0xff, 0xff, 0xff, 0])), "pack-form");
        let empty = with_checksum(&[1, 0, 0, 0, 0]);
        assert_eq!(Pack::parse(&empty).unwrap().decrypt(b"x").unwrap_err().rule(), "pack-password");
    }
}
