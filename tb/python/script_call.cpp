// SPDX-License-Identifier: Apache-2.0
#include "tb/python/script_call.h"

#include <algorithm>

namespace sare::python {
namespace py = pybind11;

bool& script_object::in_program() {
    static bool program = false;
    return program;
}

/// Returns the place of a method, or of the class if the method is not written in Python.
config::location script_object::place_of(const std::string& method) const {
    const py::gil_scoped_acquire held;
    const py::object its = py::getattr(py::type::of(m_its), method.c_str(), py::none());
    const py::object code = py::getattr(its, "__code__", py::none());
    if (code.is_none()) return {"class " + std::string(py::str(py::type::of(m_its).attr("__name__"))), 0, 0};
    return {py::str(code.attr("co_filename")), code.attr("co_firstlineno").cast<int>(), 1};
}

void script_object::refuse(const std::string& method, const std::string& what) const {
    const std::string name = method.substr(method[0] == '_' ? 1 : 0);  // _route() calls route()
    throw config::error(place_of(name), name + "() " + what);
}

void script_object::serialize(archive& a) {
    const py::gil_scoped_acquire held;
    const py::module_ pickle = py::module_::import("pickle");
    const py::object attributes = m_its.attr("__dict__");
    std::string text;
    try {
        if (!a.reads()) text = pickle.attr("dumps")(attributes).cast<std::string>();
        a(text);
        if (a.reads()) attributes.attr("update")(pickle.attr("loads")(py::bytes(text)));
    } catch (const py::error_already_set& problem) {
        throw state_error("attributes of " + std::string(py::str(py::type::of(m_its).attr("__name__"))) +
                          " cannot be written: " + std::string(py::str(problem.value())));
    }
}

/// Returns an object as Python writes it, cut to 60 characters.
std::string script_object::short_text(const py::object& said) {
    const auto all = py::repr(said).cast<std::string>();
    return all.size() <= 60 ? all : all.substr(0, 57) + "...";
}

namespace {

/// Returns the line on which a syntax error is, or else the innermost line of a plugin; where none of a
/// plugin is on the way, the innermost one outside of this package and of Python's own loader.
config::location place_of_mistake(const py::error_already_set& problem) {
    if (problem.matches(PyExc_SyntaxError) && !problem.value().attr("filename").is_none())
        return {py::str(problem.value().attr("filename")), problem.value().attr("lineno").cast<int>(),
                std::max(1, problem.value().attr("offset").cast<int>())};
    config::location of_plugin, other{"Python", 0, 0};
    for (py::object t = problem.trace(); t && !t.is_none(); t = t.attr("tb_next")) {
        const py::object frame = t.attr("tb_frame");
        const config::location at{py::str(frame.attr("f_code").attr("co_filename")),
                                  t.attr("tb_lineno").cast<int>(), 1};
        const std::string module = py::str(frame.attr("f_globals").attr("get")("__name__", ""));
        if (module.rfind("sare_plugin_", 0) == 0) of_plugin = at;
        if (module.rfind("sare.", 0) != 0 && module.rfind("importlib", 0) != 0) other = at;
    }
    return of_plugin.file.empty() ? other : of_plugin;
}

}  // namespace

void script_object::fail(py::error_already_set& problem) {
    if (!in_program()) return;
    const bool has_place = problem.matches(PyExc_SyntaxError);  // its text repeats that
    const py::object text = has_place ? py::object(problem.value().attr("msg")) : problem.value();
    throw config::error(place_of_mistake(problem), std::string(py::str(problem.type().attr("__name__"))) +
                                                       ": " + std::string(py::str(text)));
}

}  // namespace sare::python
