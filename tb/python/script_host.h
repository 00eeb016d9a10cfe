// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/python/script_call.h"
#include "traffic/script/script.h"

namespace sare::python {

/// Maker of workloads, patterns, routing functions and governors that are Python classes, which the Python
/// module sare.variants finds by name. make() throws config::error if a class is missing.
class script_host final : public traffic::script_host {
  public:
    std::unique_ptr<workload> make(const traffic::script& s, const workload_context& c) override;
    std::unique_ptr<traffic::pattern> make(const traffic::script& s,
                                           const traffic::pattern_context& c) override;
    std::unique_ptr<routing_function> make(const traffic::script& s, const routing_context& c) override;
    std::unique_ptr<level_governor> make(const traffic::script& s) override;

    /// Makes an object of this class the host of scripts of this process.
    static void install();

  private:
    /// Returns an object of the class that `s` names, which derives from `base`, made with its parameters.
    static pybind11::object object_of(const traffic::script& s, const char* base);
    template <class F>
    static auto with_object(const traffic::script& s, const char* base, F f) {
        const pybind11::gil_scoped_acquire held;
        return f(object_of(s, base));
    }
};

}  // namespace sare::python
