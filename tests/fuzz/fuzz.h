// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

/// What the fuzzers share. The one rule: whatever a user writes, the answer is good or a config::error;
/// anything else that is thrown, and any crash, leak, hang or flood of memory, is a find.
namespace sare::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

template <class Read>
void read(Read&& reads) {
    try {
        reads();
    } catch (const config::error&) {
    }
}

/// Bytes as a file, without a disk.
class memory_file {
  public:
    explicit memory_file(const std::string& text) : m_handle(memfd_create("fuzz", 0)) {
        if (m_handle < 0 || write(m_handle, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
            std::abort();
    }
    ~memory_file() { close(m_handle); }
    memory_file(const memory_file&) = delete;
    memory_file& operator=(const memory_file&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(m_handle); }

  private:
    int m_handle;
};

}  // namespace sare::fuzz
