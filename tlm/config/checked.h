// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <string>

namespace sare::config {

/// Parameters that C++ has set are held to the ranges that their schema declares, as YAML is. Throws error
/// for the first that is out of range; `section` names them in it.
template <class T>
void check_ranges(const T& parameters, const std::string& section) {
    T read;
    T::fields().read(T::fields().write(parameters), read, section);
}

}  // namespace sare::config
