// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/state/archive.h"

#include <cstring>
#include <string>

namespace sare {

/// Archive that writes state into memory as bytes (not readable text), to be sent to another process of the
/// same program.
class text_writer final : public archive {
  public:
    text_writer() : archive(false) {}
    void bytes(void* at, std::size_t n) override { m_text.append(static_cast<const char*>(at), n); }
    /// Returns the bytes written so far.
    const std::string& text() const { return m_text; }

  private:
    std::string m_text;
};

/// Archive that reads state from the bytes of a text_writer, which must outlive it. Throws state_error if
/// more bytes are read than were written.
class text_reader final : public archive {
  public:
    explicit text_reader(const std::string& text) : archive(true), m_text(text) {}
    void bytes(void* at, std::size_t n) override {
        if (m_at + n > m_text.size()) throw state_error("what another process has told is cut short");
        std::memcpy(at, m_text.data() + m_at, n);
        m_at += n;
    }

  private:
    const std::string& m_text;  ///< bytes of the text_writer
    std::size_t m_at = 0;       ///< index in m_text of the next byte to be read
};

}  // namespace sare
