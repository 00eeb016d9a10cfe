// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

/// As if it were made for another Sare; its code must not run.
extern "C" __attribute__((used)) const char sare_plugin_mark[] = "sare plugin for: 0123456789abcdef-1016-1";

namespace {
const struct abort_when_loaded {
    abort_when_loaded() { std::abort(); }
} loaded;
}  // namespace
