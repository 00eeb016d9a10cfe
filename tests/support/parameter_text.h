// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <string>

namespace sare::test {

/// Every parameter that a struct declares, with its value, on one line.
template <class T>
std::string parameter_text(const T& parameters) {
    return config::flow_style(T::fields().write(parameters));
}

}  // namespace sare::test
