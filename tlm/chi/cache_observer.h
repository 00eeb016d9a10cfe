// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare::chi {

/// A cache line's state: invalid, shared clean, unique clean, unique dirty.
enum class state : std::uint8_t { i, sc, uc, ud };

/// Is told of what caches and homes do, at the time at which it takes effect.
class cache_observer {
  public:
    virtual ~cache_observer() = default;
    virtual void loaded(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                        std::uint32_t length) = 0;
    virtual void stored(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                        std::uint32_t length) = 0;
    virtual void changed(std::uint32_t node, std::uint64_t line, state now) = 0;
    /// By an atomic access at home, where no cache has the line.
    virtual void updated(std::uint64_t address, const unsigned char* before, const unsigned char* now,
                         std::uint32_t length) {
        (void)address, (void)before, (void)now, (void)length;
    }
    /// By a debug access, everywhere.
    virtual void replaced(std::uint64_t address, const unsigned char* bytes, std::uint32_t length) {
        (void)address, (void)bytes, (void)length;
    }
};

}  // namespace sare::chi
