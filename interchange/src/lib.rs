//! Questions of other systems.
