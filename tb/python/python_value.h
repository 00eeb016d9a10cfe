// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <pybind11/pybind11.h>

#include <string>

/// Python's dicts, lists and scalars as a configuration, and back.
namespace sare::python {

/// What stands in `object` is at `place` ("router.vcs"), where messages look for it.
config::value to_value(pybind11::handle object, const std::string& place);
/// Numbers and flags as such, other scalars as text.
pybind11::object from_value(const config::value& v);

}  // namespace sare::python
