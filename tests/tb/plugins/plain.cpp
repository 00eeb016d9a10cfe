// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

/// A shared library, but no plugin; its code must not run.
namespace {
const struct abort_when_loaded {
    abort_when_loaded() { std::abort(); }
} loaded;
}  // namespace
