// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <functional>
#include <memory>

/// Message classes in the section of a source (docs/classes.md).
namespace sare::traffic {

/// Returns the message class, 0 to 15, that the value of the key `class` names; 0 if it is null, i.e. the key
/// is left out. Throws config::error for any other value.
std::uint32_t read_class(const config::value& given);

/// Returns a workload, owned by the caller, that sends the messages of `work` in other classes. Class k
/// becomes class k + c, where c is read_class(message_class). Returns `work` itself for class 0. Throws
/// config::error as read_class() does.
workload* in_class(const config::value& message_class, std::unique_ptr<workload> work);
/// Returns a source, owned by the caller. If `shares`, the value of the key `classes`, is null: the source
/// that make(1) returns, in the class that the key `class` gives. Else a mix of sources, one for each class
/// whose share is above 0; make(part) makes a source with the share `part`, above 0 and at most 1, of the
/// load. Throws config::error if both keys are given, or one is wrong.
workload* in_classes(const config::value& message_class, const config::value& shares,
                     const std::function<std::unique_ptr<workload>(double part)>& make);

}  // namespace sare::traffic
