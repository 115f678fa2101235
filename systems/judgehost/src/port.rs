//! Ports as texts: `8080`, `53/udp`.

use std::fmt;

/// A port that a container listens on, reachable only from the other containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Port {
    /// The number, from 1 to 65535.
    pub number: u16,
    /// The transport protocol.
    pub protocol: Protocol,
}

/// A transport protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    /// TCP, the default.
    Tcp,
    /// UDP.
    Udp,
}

impl Port {
    /// Returns the port that `text` names: decimal digits without leading zeros, 1 to 65535, then nothing, `/tcp` or
    /// `/udp`.
    pub fn parse(text: &str) -> Option<Self> {
        let (number, protocol) = match text.split_once('/') {
            None => (text, Protocol::Tcp),
            Some((number, "tcp")) => (number, Protocol::Tcp),
            Some((number, "udp")) => (number, Protocol::Udp),
            Some(_) => return None,
        };
        if number.starts_with('0') || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Some(Self { number: number.parse().ok()?, protocol })
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let protocol = match self.protocol {
            Protocol::Tcp => "tcp",
            Protocol::Udp => "udp",
        };
        write!(f, "{}/{protocol}", self.number)
    }
}
