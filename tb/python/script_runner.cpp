// SPDX-License-Identifier: Apache-2.0
#include "tb/python/script_host.h"
#include "tlm/config/plugin.h"

#include <pybind11/embed.h>

#include <dlfcn.h>

#include <filesystem>
#include <string>

/// Python within the program `sare`, for plugins that are written in it (tlm/config/script_loader.h). The
/// simulator is the program's own.
extern "C" PyObject* PyInit__native();
SARE_PLUGIN();

namespace sare::python {
namespace py = pybind11;
namespace {

/// Returns the folder of this library, which is the package.
std::filesystem::path package_folder() {
    Dl_info own{};
    dladdr(reinterpret_cast<void*>(&PyInit__native), &own);
    return std::filesystem::path(own.dli_fname).parent_path();
}

/// Starts the interpreter, which stays to the end of the process, and which nobody holds between calls.
void start_interpreter() {
    if (Py_IsInitialized() != 0) return;
    py::initialize_interpreter(false);  // Ctrl-C is the program's
    {
        py::list path = py::module_::import("sys").attr("path");
        path.insert(0, package_folder().parent_path().string());
        py::dict modules = py::module_::import("sys").attr("modules");
        modules["sare._native"] = py::reinterpret_steal<py::object>(PyInit__native());
        modules["sare._native"].attr("in_program") = true;
        script_object::set_program();
    }
    PyEval_SaveThread();
}

std::string run(const char* file) {
    start_interpreter();
    const py::gil_scoped_acquire held;
    try {
        py::module_::import("sare.variants").attr("load")(file);
    } catch (py::error_already_set& problem) {
        if (problem.matches(py::module_::import("sare.errors").attr("Error")))
            return py::str(problem.value());
        try {
            script_object::fail(problem);
        } catch (const config::error& where) {
            return std::string("plugin ") + file + ": " + where.what();
        }
    }
    return "";
}

}  // namespace
}  // namespace sare::python

extern "C" const char* sare_run_script(const char* file) {
    static std::string wrong;
    wrong = sare::python::run(file);
    return wrong.empty() ? nullptr : wrong.c_str();
}
