// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/simbricks/layout.h"
#include "traffic/bridge/socket.h"

namespace sare::traffic::simbricks {

/// Memory that another process also writes.
class shared_memory {
  public:
    shared_memory() = default;
    /// Maps the whole file. Throws peer_failure if that fails.
    explicit shared_memory(descriptor file);
    ~shared_memory();
    shared_memory(shared_memory&& o) noexcept;
    shared_memory& operator=(shared_memory&& o) noexcept;

    /// Makes a file without a name, of `size` bytes of zeros, that nobody can make shorter. Throws
    /// std::runtime_error if that fails.
    static shared_memory make(std::uint64_t size);

    int file() const { return m_file.get(); }
    std::uint64_t size() const { return m_size; }
    unsigned char* begin() const { return m_begin; }
    /// Throws peer_failure unless the queue lies within the memory; `name` is for the message.
    void check(const queue_shape& q, const char* name) const;

  private:
    descriptor m_file;
    unsigned char* m_begin = nullptr;
    std::uint64_t m_size = 0;
};

}  // namespace sare::traffic::simbricks
