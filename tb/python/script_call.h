// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"
#include "tlm/state/archive.h"

#include <pybind11/pybind11.h>

#include <string>
#include <utility>

namespace sare::python {

/// An object of a Python class whose methods C++ calls, from a thread that need not hold the interpreter.
class script_object {
  public:
    script_object() = default;
    /// Holds `its`, whose methods are called. The caller must hold the interpreter.
    explicit script_object(pybind11::object its) : m_its(std::move(its)) {}
    ~script_object() {
        const pybind11::gil_scoped_acquire held;
        m_its = pybind11::object();
    }
    script_object(const script_object&) = delete;
    script_object& operator=(const script_object&) = delete;

    /// Calls a method and returns take(its result), while the interpreter is held. Arguments are converted to
    /// Python objects then; a pointer is passed by reference. Throws as fail() does for an exception in
    /// Python, and as refuse() does for a result that `take` cannot convert.
    template <class Take, class... Args>
    auto call(const char* method, Take take, Args&&... args) const {
        const pybind11::gil_scoped_acquire held;
        try {
            return take(m_its.attr(method)(std::forward<Args>(args)...));
        } catch (pybind11::error_already_set& problem) {
            fail(problem);
            throw;
        }
    }
    /// Calls a method and ignores its result; throws as fail() does.
    template <class... Args>
    void tell(const char* method, Args&&... args) const {
        call(
            method, [](const pybind11::object&) {}, std::forward<Args>(args)...);
    }
    /// Calls a method and returns its result. Throws config::error, by refuse(), if the result is no T, and
    /// so not `right`: words for what the method must return, such as "a node".
    template <class T, class... Args>
    T ask(const char* method, const std::string& right, Args&&... args) const {
        const auto take = [&](const pybind11::object& said) {
            try {
                return said.cast<T>();
            } catch (const pybind11::cast_error&) {
                refuse(method, "returns " + short_text(said) + "; it must return " + right);
            }
        };
        return call(method, take, std::forward<Args>(args)...);
    }
    /// Returns the attribute `name`. Throws an exception of pybind11 if there is none, or if it is not
    /// convertible to T.
    template <class T>
    T get(const char* name) const {
        const pybind11::gil_scoped_acquire held;
        return m_its.attr(name).cast<T>();
    }
    /// Returns true if the object's class has a method of its own with this name, not only the base class's
    /// default.
    bool overrides(const char* method) const {
        const pybind11::gil_scoped_acquire held;
        return pybind11::hasattr(m_its, method) && !m_its.attr("_is_default")(method).cast<bool>();
    }

    /// Writes or reads the object's attributes, by Python's pickle. Throws state_error for attributes that
    /// pickle cannot write.
    void serialize(archive& a);

    /// Throws config::error "METHOD() WHAT", placed at the method's line in its file; for a method whose
    /// result is wrong.
    [[noreturn]] void refuse(const std::string& method, const std::string& what) const;

    /// Tells that this process is no Python program, so that fail() throws.
    static void set_program() { in_program() = true; }
    /// After set_program(): throws Python's exception `problem` as a config::error with file and line. Else
    /// does nothing, so that the caller rethrows it to Python.
    static void fail(pybind11::error_already_set& problem);

  private:
    static bool& in_program();
    static std::string short_text(const pybind11::object& said);
    config::location place_of(const std::string& method) const;

    pybind11::object m_its;
};

}  // namespace sare::python
