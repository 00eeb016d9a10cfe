// SPDX-License-Identifier: Apache-2.0
#include "tb/python/script_call.h"

namespace sare::python {
namespace py = pybind11;

bool& script_object::in_program() {
    static bool program = false;
    return program;
}

std::string script_object::place() const {
    return "class " + std::string(py::str(py::type::of(m_its).attr("__name__")));
}

/// The innermost line in a file, and what Python says.
void script_object::fail(py::error_already_set& problem) {
    if (!in_program()) return;
    config::location at{"Python", 0, 0};
    for (py::object t = problem.trace(); t && !t.is_none(); t = t.attr("tb_next"))
        at = {py::str(t.attr("tb_frame").attr("f_code").attr("co_filename")), t.attr("tb_lineno").cast<int>(),
              1};
    throw config::error(at, std::string(py::str(problem.type().attr("__name__"))) + ": " +
                                std::string(py::str(problem.value())));
}

}  // namespace sare::python
