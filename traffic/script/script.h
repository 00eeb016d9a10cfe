// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/routing/routing.h"
#include "traffic/spatial/pattern.h"

#include <memory>
#include <string>

/// Workloads, patterns and routing functions in Python (docs/python.md): the variant `python` of each
/// registry, a class of a file that `plugins` names.
namespace sare::traffic {

struct script {
    std::string class_name;
    config::value parameters;  ///< arguments of its constructor by name
    config::location at;

    static const config::schema<script>& fields();
};

/// The maker of objects of classes in Python.
class script_host {
  public:
    virtual ~script_host() = default;
    virtual std::unique_ptr<workload> make(const script& s, const workload_context& c) = 0;
    virtual std::unique_ptr<pattern> make(const script& s, const pattern_context& c) = 0;
    virtual std::unique_ptr<routing_function> make(const script& s, const routing_context& c) = 0;

    /// Returns the host of this process, which the library with the Python interpreter has set. Throws
    /// config::error, placed at s.at, if there is none.
    static script_host& of(const script& s);
    static void set(script_host& host);
};

}  // namespace sare::traffic
