// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <functional>
#include <memory>

/// Message classes as the section of a source gives them: docs/classes.md.
namespace sare::traffic {

/// Returns the number that "class" gives; 0 if it is null. Throws config::error.
std::uint32_t read_class(const config::value& given);

/// Returns `work` with its messages in the class that "class" gives, or in the classes from there on.
workload* in_class(const config::value& message_class, std::unique_ptr<workload> work);
/// Returns a source of the given class or, if "classes" shares out its load, a mix of `make`'s sources.
workload* in_classes(const config::value& message_class, const config::value& shares,
                     const std::function<std::unique_ptr<workload>(double part)>& make);

}  // namespace sare::traffic
