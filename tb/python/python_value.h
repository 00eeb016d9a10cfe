// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <pybind11/pybind11.h>

#include <string>

/// Conversions between Python's dicts, lists and scalars and a configuration.
namespace sare::python {

/// Returns a Python dict, list or scalar as a configuration. `place` ("router.vcs"): name of the place of
/// `object` in messages. Throws config::error for an object of any other type.
config::value to_value(pybind11::handle object, const std::string& place);
/// Returns a configuration as a Python object: maps as dicts, numbers and flags as such, other scalars as
/// text.
pybind11::object from_value(const config::value& v);

}  // namespace sare::python
