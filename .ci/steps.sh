# What the steps of ./test share; read by it and by the `test` script of each binding and integration, never run by itself.
# shellcheck shell=bash
set -euo pipefail

export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}
# What the bindings are built with: quick to compile, arithmetic checked. ./release tests them with what ships.
FABLEGRADE_PROFILE=${FABLEGRADE_PROFILE:-dev}
export FABLEGRADE_PROFILE
# Tests that need a sandbox, a container engine or a C compiler are marked `ignore`, and parts of ./test run them. Tests are
# built for the whole workspace, always, so that nothing is built twice.
# Totals of all steps: a line `passed failed skipped` for each.
FABLEGRADE_TOTALS=${FABLEGRADE_TOTALS:-$(mktemp)}
FABLEGRADE_STARTED=${FABLEGRADE_STARTED:-$(date +%s)}
export FABLEGRADE_TOTALS FABLEGRADE_STARTED
# Property tests draw other cases for every commit and the same cases for the same commit, so that a failure can be seen
# again. `PROPTEST_RNG_SEED=N ./test` draws others.
PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-$((16#$(git rev-parse --short=8 HEAD 2>/dev/null || echo 0)))}
export PROPTEST_RNG_SEED

# Where cargo leaves what it builds with that profile.
built() {
    local folder=$FABLEGRADE_PROFILE
    [ "$folder" != dev ] || folder=debug
    printf '%s/%s' "${CARGO_TARGET_DIR:-$(git -C "$(dirname "${BASH_SOURCE[0]}")" rev-parse --show-toplevel)/target}" "$folder"
}

# Builds a program, the command if none is named, with the features that the tests have, so that nothing is compiled again.
build_program() { cargo build --quiet --profile "$FABLEGRADE_PROFILE" --workspace --bin "${1:-fablegrade}" --test cli_vectors; }

# A heading with the seconds since the start.
say() { printf '\n== %s (%s s)\n' "$1" "$(($(date +%s) - FABLEGRADE_STARTED))"; }

# Debian packages that are missing, once, as root; elsewhere they are named.
need_packages() {
    local missing=()
    for package in "$@"; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        printf 'please install: %s\n' "${missing[*]}" >&2
        return 1
    fi
    say "installing ${missing[*]}"
    DEBIAN_FRONTEND=noninteractive apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Adds to the totals: total PASSED FAILED SKIPPED.
total() { printf '%d %d %d\n' "$1" "$2" "$3" >>"$FABLEGRADE_TOTALS"; }

# Runs a command and remembers the totals that its runner prints: cargo test, pytest, node's runner, or the plain
# line `N passed, N failed, N skipped`. Fails as the command does. With FABLEGRADE_IGNORED=later the ignored tests of cargo
# are not skipped: another part runs them.
counted() {
    local log status=0
    log=$(mktemp)
    "$@" 2>&1 | tee "$log" || status=$?
    sed -E 's/\x1b\[[0-9;]*m//g' "$log" | awk -v later="${FABLEGRADE_IGNORED:-}" '
        /^test result: / { gsub(/[;.]/, ""); for (i = 1; i < NF; i++) {
            if ($(i+1) == "passed") p += $i; if ($(i+1) == "failed") f += $i; if ($(i+1) == "ignored" && later == "") s += $i } next }
        /^(=+ )?[0-9]+ (passed|failed|errors?|skipped).* in [0-9.]+s/ { for (i = 1; i < NF; i++) { word = $(i+1); sub(/,$/, "", word)
            if (word == "passed") p += $i; if (word == "failed" || word ~ /^errors?$/) f += $i; if (word == "skipped") s += $i } next }
        /^(#|ℹ) pass [0-9]+$/ { p += $3; next } /^(#|ℹ) fail [0-9]+$/ { f += $3; next } /^(#|ℹ) skipped [0-9]+$/ { s += $3; next }
        /^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ { p += $1; f += $3; s += $5; next }
        END { printf "%d %d %d\n", p, f, s }' >>"$FABLEGRADE_TOTALS"
    rm -f "$log"
    return "$status"
}

# The last line: what all steps together passed, failed and skipped.
totals() {
    awk '{ p += $1; f += $2; s += $3 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s }' "$FABLEGRADE_TOTALS"
}
