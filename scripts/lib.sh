# SPDX-License-Identifier: Apache-2.0
# Shared by the set-up scripts; sourced, never run. Leaves the caller in the repository's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '== %s\n' "$*"; }

fail() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# quietly LOG COMMAND...: what the command prints goes to LOG, and is shown only if the command fails.
quietly() {
    local log=$1
    shift
    mkdir -p "$(dirname "$log")"
    if ! "$@" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        fail "'$*' failed; the whole log is $PWD/$log"
    fi
}

# build DIR TARGET: configures once (Release unless a preset said otherwise) and builds what has changed.
# Ninja by itself runs two compilers more than there are processors: an eighth slower on two.
build() {
    local dir=$1 target=$2
    [[ -f $dir/build.ninja ]] || quietly "$dir/configure.log" cmake -S . -B "$dir" -G Ninja -DCMAKE_BUILD_TYPE=Release
    # Ninja rewrites its one status line on a terminal; elsewhere every step would be a line, so keep a log.
    if [[ -t 1 ]]; then
        NINJA_STATUS='[%f/%t, %es] ' cmake --build "$dir" --target "$target" -j "$(nproc)" || fail "the build in $dir failed"
    else
        quietly "$dir/build.log" cmake --build "$dir" --target "$target" -j "$(nproc)"
    fi
}
