// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>

namespace sare {

/// Error for a block (foreign, or of a plugin) that broke the protocol of links, unlike config::error, which
/// is for mistakes of the user's configuration.
class protocol_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace sare
