// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

namespace sare {
namespace {

const struct named_family {
    named_family() { arbiter_registry::instance().name_kind(arbiter::kind, "name"); }
} named;

}  // namespace
}  // namespace sare
