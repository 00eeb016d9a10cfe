// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <functional>
#include <memory>

/// Message classes as the section of a source gives them: docs/classes.md.
namespace sare::traffic {

/// Returns the number that the key `class` gives; 0 if it is null. Throws config::error if it is no class.
std::uint32_t read_class(const config::value& given);

/// Returns a workload whose messages are those of `work`, but in the message class that the key `class`
/// gives; if `work` has several classes, in that class and the following ones.
workload* in_class(const config::value& message_class, std::unique_ptr<workload> work);
/// Returns a source of the message class that the key `class` gives; or, if the key `classes` (`shares`) is
/// not null, a mix of sources, one for each class with its share of the load. make(part): makes a source with
/// the share `part`, in (0, 1], of the load.
workload* in_classes(const config::value& message_class, const config::value& shares,
                     const std::function<std::unique_ptr<workload>(double part)>& make);

}  // namespace sare::traffic
