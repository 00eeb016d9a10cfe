// SPDX-License-Identifier: Apache-2.0
#include "tb/python/script_host.h"

#include "tb/python/bindings.h"
#include "tb/python/python_value.h"

namespace sare::python {
namespace py = pybind11;

void script_host::install() {
    static auto* const host = new script_host();  // never destroyed: it may be asked as the process ends
    traffic::script_host::set(*host);
}

py::object script_host::object_of(const traffic::script& s, const char* base) {
    try {
        const py::object parameters =
            s.parameters.type() == config::value::kind::null ? py::dict() : from_value(s.parameters);
        return py::module_::import("sare.variants").attr("make")(s.class_name, base, parameters);
    } catch (py::error_already_set& problem) {
        if (problem.matches(py::module_::import("sare.errors").attr("Error")))
            throw config::error(s.at, py::str(problem.value()));
        script_object::fail(problem);
        throw;
    }
}

}  // namespace sare::python
