// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/allocator/allocator.h"

namespace sare {
namespace {

const struct named_allocators {
    named_allocators() { allocator_registry::instance().name_kind(allocator::kind, "name"); }
} allocators_named;

}  // namespace
}  // namespace sare
