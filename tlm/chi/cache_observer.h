// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare::chi {

/// State of a cache line: invalid (i), shared clean (sc), unique clean (uc), unique dirty (ud).
enum class state : std::uint8_t { i, sc, uc, ud };

/// Observer of loads, stores and changes of state of caches, and of atomic accesses of homes, called at the
/// time when they take effect. `node`: number given to cache::observe().
class cache_observer {
  public:
    virtual ~cache_observer() = default;
    /// Called when the cache at `node` has loaded `length` bytes from `address` on, all in one line.
    virtual void loaded(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                        std::uint32_t length) = 0;
    /// Called when the cache at `node` has stored `length` bytes from `address` on, all in one line. Stores
    /// by DMI are not seen: it is called for the whole line when DMI to it ends, or at another access to it.
    virtual void stored(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                        std::uint32_t length) = 0;
    /// Called when the state of the line at address `line` in the cache at `node` has become `now`.
    virtual void changed(std::uint32_t node, std::uint64_t line, state now) = 0;
    /// Called when an atomic access at a home has changed the `length` bytes at `address` from `before` to
    /// `now`; no cache has the line then. The default does nothing.
    virtual void updated(std::uint64_t address, const unsigned char* before, const unsigned char* now,
                         std::uint32_t length) {
        (void)address, (void)before, (void)now, (void)length;
    }
    /// Called when a debug access has replaced the `length` bytes at `address` in memory and in all caches.
    /// The default does nothing.
    virtual void replaced(std::uint64_t address, const unsigned char* bytes, std::uint32_t length) {
        (void)address, (void)bytes, (void)length;
    }
};

}  // namespace sare::chi
