// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/routing/routing.h"
#include "tlm/topology/region/level_governor.h"
#include "traffic/spatial/pattern.h"

#include <memory>
#include <string>

/// Workloads, patterns, routing functions and governors that are classes in Python (docs/python.md): the
/// variant `python` of each of the four registries.
namespace sare::traffic {

/// The section of a variant `python`: a class in Python, and the arguments of its constructor.
struct script {
    /// Name of the class, in one of the files that the key `plugins` of the experiment names.
    std::string class_name;
    config::value parameters;  ///< keyword arguments of the constructor: a map
    /// Place of the section, for errors.
    config::location at;

    /// Returns the schema of the section.
    static const config::schema<script>& fields();
};

/// Interface through which the registries make objects of Python classes; the library that has the Python
/// interpreter implements it.
class script_host {
  public:
    virtual ~script_host() = default;
    /// Return a new object whose virtual functions call the methods of the class that `s` names. Throw
    /// config::error at s.at if there is no such class, or its constructor fails.
    virtual std::unique_ptr<workload> make(const script& s, const workload_context& c) = 0;
    virtual std::unique_ptr<pattern> make(const script& s, const pattern_context& c) = 0;
    virtual std::unique_ptr<routing_function> make(const script& s, const routing_context& c) = 0;
    virtual std::unique_ptr<level_governor> make(const script& s) = 0;

    /// Returns the host of this process. Throws config::error at s.at if s.class_name is empty, or if set()
    /// was not called.
    static script_host& of(const script& s);
    /// Sets the host of this process, in the place of an earlier one; it must live as long as the process.
    static void set(script_host& host);
};

}  // namespace sare::traffic
