// SPDX-License-Identifier: Apache-2.0
#include "tb/python/bindings.h"
#include "tb/python/script_host.h"
#include "tlm/config/value.h"

#include <cstdlib>
#include <systemc>

/// The module sare._native. Mistakes are sare.Error, which set_error() names; warnings are Python's.
namespace sare::python {
namespace py = pybind11;
namespace {

/// Never destroyed: the interpreter may be gone before.
py::object& error_class() {
    static auto* const kept = new py::object(py::reinterpret_borrow<py::object>(PyExc_RuntimeError));
    return *kept;
}

std::string text_of(const sc_core::sc_report& r) {
    const std::string text = r.get_msg() != nullptr ? r.get_msg() : "";
    return !text.empty() || r.get_msg_type() == nullptr ? text : r.get_msg_type();
}

void translate(std::exception_ptr problem) {
    try {
        if (problem) std::rethrow_exception(problem);
    } catch (const config::error& e) {
        const std::string text = e.what(), no_place = "configuration: ";
        PyErr_SetString(error_class().ptr(),
                        text.c_str() + (text.rfind(no_place, 0) == 0 ? no_place.size() : 0));
    } catch (const sc_core::sc_report& e) {
        PyErr_SetString(error_class().ptr(), text_of(e).c_str());
    }
}

/// Handles reports as SystemC does, but prints nothing, and does not end the process.
void on_report(const sc_core::sc_report& r, const sc_core::sc_actions& actions) {
    if (r.get_severity() >= sc_core::SC_ERROR || (actions & sc_core::SC_THROW) != 0) throw r;
    if (r.get_severity() != sc_core::SC_WARNING || (actions & sc_core::SC_DISPLAY) == 0) return;
    const py::gil_scoped_acquire held;
    if (PyErr_WarnEx(PyExc_UserWarning, text_of(r).c_str(), 2) != 0) throw py::error_already_set();
}

}  // namespace
}  // namespace sare::python

PYBIND11_MODULE(_native, m) {
    using namespace sare::python;
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    sc_core::sc_report_handler::set_handler(on_report);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
    py::register_exception_translator(translate);
    m.doc() = "The simulator itself.";
    m.attr("in_program") = false;
    m.def(
        "set_error", [](py::object kind) { error_class() = std::move(kind); }, py::arg("kind"));
    bind_configuration(m);
    bind_simulation(m);
    bind_traffic(m);
    bind_routing(m);
    script_host::install();
}

/// Needed by SystemC's library, and never called.
int sc_main(int, char**) {
    return 1;
}
