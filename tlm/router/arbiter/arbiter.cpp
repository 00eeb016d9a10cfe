// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

namespace sare {
namespace {

const struct named_arbiters {
    named_arbiters() { arbiter_registry::instance().name_kind(arbiter::kind, "name"); }
} arbiters_named;

}  // namespace
}  // namespace sare
