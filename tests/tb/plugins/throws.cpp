// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/plugin.h"

#include <stdexcept>

SARE_PLUGIN();

namespace {
const struct throws_when_loaded {
    throws_when_loaded() { throw std::runtime_error("no such day"); }
} loaded;
}  // namespace
