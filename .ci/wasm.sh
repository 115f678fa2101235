# Chooses a toolchain that compiles to wasm32-unknown-unknown; read by scripts after steps.sh, in the root folder, never
# run by itself.
#
#   source .ci/steps.sh; source .ci/wasm.sh
#   wasm_toolchain                                   # once
#   "$WASM_CARGO" build -p PACKAGE --target wasm32-unknown-unknown --release
#   cargo build ...                                  # for this machine, as ever
#
# The toolchain that is there, if it has the target or rustup can fetch it; else Debian's rustc-web with the standard
# library built from its source, unpacked below .cache/ (the package itself would replace the machine's own rustc).
# FABLEGRADE_WASM=debian takes the second way at once.
# shellcheck shell=bash

wasm_toolchain() {
    local target=wasm32-unknown-unknown remap registry
    export WASM_CARGO=${WASM_CARGO:-cargo} WASM_TOOLCHAIN=${WASM_TOOLCHAIN:-}
    # Removes the paths of the building machine from the packages.
    remap="--remap-path-prefix=$PWD=fablegrade"
    for registry in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*; do remap+=" --remap-path-prefix=$registry=crates"; done
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$remap
    [ -n "$WASM_TOOLCHAIN" ] && return 0
    if [ "${FABLEGRADE_WASM:-}" != debian ]; then
        if [ ! -d "$(rustc --print target-libdir --target "$target")" ] && command -v rustup >/dev/null; then
            timeout 120 rustup target add "$target" >&2 || true
        fi
        if [ -d "$(rustc --print target-libdir --target "$target")" ]; then
            WASM_TOOLCHAIN="$(rustc --version), its own target"
            return 0
        fi
    fi
    wasm_debian
}

# Debian's compiler below .cache/rust-web, its standard library built with the crate.
wasm_debian() {
    local root=${FABLEGRADE_CACHE:-$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)/.cache}/rust-web
    local triple=x86_64-linux-gnu linker
    if [ ! -x "$root/usr/bin/rustc" ]; then
        local parts="$root.parts" missing
        rm -rf "$parts" "$root.new"
        mkdir -p "$parts" "$root.new"
        [ "$(id -u)" -ne 0 ] || apt-get update -qq
        # What an installation would add, without installing: the compiler, its libraries and the source.
        missing=$(apt-get install -s --no-install-recommends rustc-web cargo-web rust-web-src | awk '/^Inst /{print $2}')
        # shellcheck disable=SC2086
        (cd "$parts" && apt-get download -qq -o APT::Sandbox::User=root $missing)
        for part in "$parts"/*.deb; do dpkg-deb -x "$part" "$root.new"; done
        rm -rf "$parts" "$root"
        mv "$root.new" "$root"
    fi
    linker=$(find "$(rustc --print sysroot 2>/dev/null || echo /usr)/lib/rustlib" -name rust-lld -type f 2>/dev/null | head -n 1)
    linker=${linker:-$(command -v wasm-ld || true)}
    if [ -z "$linker" ]; then
        need_packages lld
        linker=$(command -v wasm-ld)
    fi
    cat >"$root/rustc" <<WRAPPER
#!/bin/sh
LD_LIBRARY_PATH=$root/usr/lib/$triple:$root/usr/lib exec $root/usr/bin/rustc --sysroot $root/usr "\$@"
WRAPPER
    cat >"$root/cargo" <<WRAPPER
#!/bin/sh
# What an ordinary cargo must not see.
export RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_BUILD_STD=std,panic_abort RUSTC=$root/rustc
LD_LIBRARY_PATH=$root/usr/lib/$triple:$root/usr/lib exec $root/usr/bin/cargo "\$@"
WRAPPER
    chmod +x "$root/rustc" "$root/cargo"
    export WASM_CARGO=$root/cargo
    WASM_TOOLCHAIN="Debian's $("$root/rustc" --version), standard library from source"
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
}
