// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <functional>
#include <memory>

/// What the section of a source says of its message classes: docs/classes.md.
namespace sare::traffic {

/// Reads "class"; 0 where it is null. Throws config::error.
std::uint32_t read_class(const config::value& given);

/// `work`, with its messages in the class that "class" says, or in those from there on.
workload* in_class(const config::value& message_class, std::unique_ptr<workload> work);
/// Likewise; a source for each class where "classes" shares out its load: `make` makes that of a part of it.
workload* in_classes(const config::value& message_class, const config::value& shares,
                     const std::function<std::unique_ptr<workload>(double part)>& make);

}  // namespace sare::traffic
