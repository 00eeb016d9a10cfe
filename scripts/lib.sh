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

# show_progress: copies lines that begin with [done/of] to one line with a percentage and the time left, on a terminal; elsewhere
# to a line at each quarter.
show_progress() {
    local line start=$SECONDS quarter=0 done of left
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        done=${BASH_REMATCH[1]} of=${BASH_REMATCH[2]}
        left=$(((SECONDS - start) * (of - done) / (done > 0 ? done : 1)))
        if [[ -t 1 ]]; then
            printf '\r   %3d%%, about %d:%02d left \033[K' $((100 * done / of)) $((left / 60)) $((left % 60))
        elif ((4 * done / of > quarter)); then
            quarter=$((4 * done / of))
            printf '   %3d%%, %d:%02d\n' $((25 * quarter)) $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60))
        fi
    done
    [[ ! -t 1 ]] || printf '\r\033[K'
}

# build DIR TARGET [OPTION...]: configures (Release, and the options of CMake given) and builds what has changed.
# Ninja by itself runs two compilers more than there are processors: an eighth slower on two.
build() {
    local dir=$1 target=$2 log=$1/build.log
    shift 2
    [[ -f $dir/build.ninja && $# == 0 ]] ||
        quietly "$dir/configure.log" cmake -S . -B "$dir" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
    if ! NINJA_STATUS='[%f/%t] ' cmake --build "$dir" --target "$target" -j "$(nproc)" 2>&1 | tee "$log" | show_progress; then
        grep -vE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 40 >&2
        fail "the build in $dir failed; the whole log is $PWD/$log"
    fi
}
