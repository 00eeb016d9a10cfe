// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <pybind11/pybind11.h>

#include <string>

/// Conversions between Python's dicts, lists and scalars and a configuration.
namespace sare::python {

/// Returns a Python dict, sequence, number, flag or text as a configuration; null for None. `place`
/// ("router.vcs"): name of the place of `object` in messages; "": the experiment. Throws config::error for an
/// object of any other type.
config::value to_value(pybind11::handle object, const std::string& place);
/// Returns a configuration as a Python object: maps as dicts, lists as lists, null as None. Scalars that are
/// written as a number, true or false become that, others text.
pybind11::object from_value(const config::value& v);

}  // namespace sare::python
