// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/atomic/atomic_access.h"

namespace sare {

/// Carries out an atomic access at a memory that knows none, by making the payload a read of the value and
/// then a write of the new value, both without the extension. The caller must keep other accesses away
/// meanwhile.
class atomic_steps {
  public:
    /// Makes `p`, which must have an atomic_access, the read. The destructor makes it again what it was.
    explicit atomic_steps(tlm::tlm_generic_payload& p);
    ~atomic_steps();
    atomic_steps(const atomic_steps&) = delete;
    atomic_steps& operator=(const atomic_steps&) = delete;

    /// Makes the payload the write; call it when the read is answered. Returns false, and changes nothing, if
    /// the read has failed.
    bool write();
    bool writes() const { return m_writes; }  ///< true: the payload is the write; false: it is the read

  private:
    tlm::tlm_generic_payload& m_payload;
    atomic_access& m_what;
    unsigned char* const m_operand;
    const unsigned m_length, m_width;
    std::array<unsigned char, atomic_access::most_bytes> m_value{};
    bool m_writes = false;
};

}  // namespace sare
