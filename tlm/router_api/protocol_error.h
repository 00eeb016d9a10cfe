// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>

namespace sare {

/// Error that is not the user's configuration: a foreign block broke the protocol.
class protocol_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace sare
