// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/bridge/frames/frame.h"

#include <fstream>
#include <stdexcept>
#include <string>

namespace sare::traffic {

/// Writes frames to a file that Wireshark and tcpdump read (libpcap's format with nanoseconds), each frame as
/// it left its computer. Frames without bytes (meta-information) are left out.
class capture_file {
  public:
    /// Opens the file `name`, which is overwritten, and writes its header; a failure shows in add() or
    /// finish().
    explicit capture_file(const std::string& name) : m_name(name), m_out(name, std::ios::binary) {
        for (const std::uint32_t word : {0xa1b23c4dU, 2U | 4U << 16, 0U, 0U, 65535U, 1U}) put(word);
    }
    /// Writes a frame. Throws std::runtime_error if the file cannot be written.
    void add(const frame& f) {
        if (f.bytes == nullptr) return;
        const picoseconds ns = f.time / 1000;
        for (const std::uint64_t word :
             {ns / 1'000'000'000, ns % 1'000'000'000, std::uint64_t{f.length}, std::uint64_t{f.length}})
            put(static_cast<std::uint32_t>(word));
        m_out.write(reinterpret_cast<const char*>(f.bytes->data()), f.length);
        check();
    }
    /// Writes what is still in memory. Throws std::runtime_error if the file cannot be written.
    void finish() {
        m_out.flush();
        check();
    }

  private:
    void put(std::uint32_t word) {
        for (unsigned i = 0; i < 4; ++i) m_out.put(static_cast<char>(word >> (8 * i)));
    }
    void check() const {
        if (!m_out) throw std::runtime_error(m_name + ": cannot be written: is there room?");
    }

    std::string m_name;
    std::ofstream m_out;
};

}  // namespace sare::traffic
