// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare::chi {

/// State of a cache line: invalid, shared clean, unique clean, unique dirty.
enum class state : std::uint8_t { i, sc, uc, ud };

/// Interface that is told of loads, stores and states of caches and homes when they take effect.
class cache_observer {
  public:
    virtual ~cache_observer() = default;
    /// Called when the cache at `node` has loaded `length` bytes, or stored() them.
    virtual void loaded(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                        std::uint32_t length) = 0;
    virtual void stored(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                        std::uint32_t length) = 0;
    /// Called when the cache at `node` has another state of the line at address `line`.
    virtual void changed(std::uint32_t node, std::uint64_t line, state now) = 0;
    /// Called when an atomic access at a home has changed bytes, while no cache has the line.
    virtual void updated(std::uint64_t address, const unsigned char* before, const unsigned char* now,
                         std::uint32_t length) {
        (void)address, (void)before, (void)now, (void)length;
    }
    /// Called when a debug access has replaced bytes everywhere.
    virtual void replaced(std::uint64_t address, const unsigned char* bytes, std::uint32_t length) {
        (void)address, (void)bytes, (void)length;
    }
};

}  // namespace sare::chi
