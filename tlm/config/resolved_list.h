// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <utility>
#include <vector>

namespace sare::config {

/// A list of variants, each with every default written out: what schema::list() wants as `resolve`. What is
/// no list stays as it is, for whoever reads it to complain of.
template <class Registry>
value resolved_list(const value& given) {
    if (given.type() != value::kind::list) return given;
    std::vector<value> resolved;
    for (const value& item : given.items()) resolved.push_back(Registry::instance().resolve(item));
    return value::list(std::move(resolved), given.where());
}

}  // namespace sare::config
