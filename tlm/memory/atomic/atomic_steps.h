// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/atomic/atomic_access.h"

namespace sare {

/// Carries out an atomic access at a memory that knows none, by making the payload a read of the value and
/// then a write of the new value, both without the extension. The caller must keep other accesses away
/// meanwhile.
class atomic_steps {
  public:
    /// Makes `p`, which must have an atomic_access (not checked) and outlive this object, the read.
    explicit atomic_steps(tlm::tlm_generic_payload& p);
    ~atomic_steps();  ///< makes the payload the atomic write again; its response status stays
    atomic_steps(const atomic_steps&) = delete;
    atomic_steps& operator=(const atomic_steps&) = delete;

    /// Makes the payload the write; call it when the read is answered. Returns false, and changes nothing, if
    /// the read has failed.
    bool write();
    bool writes() const { return m_writes; }  ///< true: the payload is the write; false: it is the read

  private:
    tlm::tlm_generic_payload& m_payload;
    atomic_access& m_what;             ///< extension of the payload
    unsigned char* const m_operand;    ///< data pointer of the atomic write
    const unsigned m_length, m_width;  ///< data length and streaming width of the atomic write
    std::array<unsigned char, atomic_access::most_bytes> m_value{};  ///< value read, then value to write
    bool m_writes = false;                                           ///< see writes()
};

}  // namespace sare
