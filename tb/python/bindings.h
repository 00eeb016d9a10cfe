// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <pybind11/pybind11.h>

/// Functions that add the parts of the Python module sare._native to `m`, one source file each.
namespace sare::python {

class live_network;

void bind_configuration(pybind11::module_& m);
void bind_simulation(pybind11::module_& m);
void bind_inside(pybind11::class_<live_network>& c);
void bind_traffic(pybind11::module_& m);
void bind_routing(pybind11::module_& m);

}  // namespace sare::python
