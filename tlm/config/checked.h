// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <string>

namespace sare::config {

/// Checks parameters that a C++ program has set against the ranges of their schema, as the parameters of a
/// YAML file are checked. Throws error for the first parameter out of range; `section` is the name of its
/// section in the message.
template <class T>
void check_ranges(const T& parameters, const std::string& section) {
    T read;
    T::fields().read(T::fields().write(parameters), read, section);
}

}  // namespace sare::config
