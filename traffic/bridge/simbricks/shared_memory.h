// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/simbricks/layout.h"
#include "traffic/bridge/socket.h"

namespace sare::traffic::simbricks {

/// Memory that this process and another one share, as the mapping of a file.
class shared_memory {
  public:
    /// No memory: size() is 0.
    shared_memory() = default;
    /// Maps the whole `file`. Throws peer_failure if that fails.
    explicit shared_memory(descriptor file);
    ~shared_memory();
    shared_memory(shared_memory&& o) noexcept;
    shared_memory& operator=(shared_memory&& o) noexcept;

    /// Makes memory of `size` zero bytes, in a file without a name that nobody can make shorter. Throws
    /// std::runtime_error if that fails.
    static shared_memory make(std::uint64_t size);

    /// Returns the file descriptor of the mapped file, for the other process.
    int file() const { return m_file.get(); }
    std::uint64_t size() const { return m_size; }     ///< size in bytes
    unsigned char* begin() const { return m_begin; }  ///< address of the first byte; null: no memory
    /// Throws peer_failure if the queue does not lie within the memory, has no entries, or has entries of
    /// fewer than 64 bytes or more than 1 MiB. `name`: name of the queue in the error text.
    void check(const queue_shape& q, const char* name) const;

  private:
    descriptor m_file;
    unsigned char* m_begin = nullptr;
    std::uint64_t m_size = 0;
};

}  // namespace sare::traffic::simbricks
