// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <utility>
#include <vector>

namespace sare::config {

/// Returns a list of choices of variants with every default written out: for the argument `resolve` of
/// schema::list(). A value that is no list is returned as it is; what reads it reports it. Throws error for a
/// wrong item.
template <class Registry>
value resolved_list(const value& given) {
    if (given.type() != value::kind::list) return given;
    std::vector<value> resolved;
    for (const value& item : given.items()) resolved.push_back(Registry::instance().resolve(item));
    return value::list(std::move(resolved), given.where());
}

}  // namespace sare::config
