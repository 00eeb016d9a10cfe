// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/allocator/allocator.h"

namespace sare {
namespace {

const struct named_family {
    named_family() { allocator_registry::instance().name_kind(allocator::kind, "name"); }
} named;

}  // namespace
}  // namespace sare
