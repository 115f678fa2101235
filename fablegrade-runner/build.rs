//! Builds the two static programs that run inside the sandbox, with the compiler that builds the crate. They
//! are embedded in the library, so an installed program needs no separate files.
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=init");
    println!("cargo::rerun-if-changed=src/sandbox/protocol.rs");
    println!("cargo::rerun-if-changed=build.rs");
    let target = env::var("TARGET").unwrap_or_default();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let system = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let machine = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    for name in ["init", "probe"] {
        let program = out.join(format!("fablegrade-{name}"));
        if system != "linux" || !matches!(machine.as_str(), "x86_64" | "aarch64") {
            // The crate still builds for such a target; `Sandbox::open` then returns `Error::Unsupported`.
            fs::write(&program, [])
                .unwrap_or_else(|error| fail(&format!("cannot write {}: {error}", program.display())));
            continue;
        }
        let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        command
            .args(["--edition", "2024", "--crate-type", "bin", "--target", &target])
            .args(["--crate-name", &format!("fablegrade_{name}")])
            .args([
                "-C",
                "panic=abort",
                "-C",
                "opt-level=s",
                "-C",
                "relocation-model=static",
                "-C",
                "strip=symbols",
            ])
            .args(["-C", "target-feature=+crt-static"])
            .args(["-C", "link-arg=-nostdlib", "-C", "link-arg=-nostartfiles", "-C", "link-arg=-static"])
            .args(["-C", "link-arg=-no-pie", "-C", "link-arg=-Wl,--gc-sections,--build-id=none"]);
        if let Some(linker) = env::var_os("RUSTC_LINKER") {
            command.arg("-C").arg(format!("linker={}", linker.to_string_lossy()));
        }
        command.arg(format!("init/{name}.rs")).arg("-o").arg(&program);
        match command.output() {
            Ok(done) if done.status.success() => {}
            Ok(done) => fail(&format!(
                "the sandbox's {name} does not build:\n{}",
                String::from_utf8_lossy(&done.stderr)
            )),
            Err(error) => fail(&format!("cannot start the compiler for the sandbox's {name}: {error}")),
        }
    }
}

fn fail(message: &str) -> ! {
    println!("cargo::error={}", message.replace('\n', " | "));
    std::process::exit(1)
}
