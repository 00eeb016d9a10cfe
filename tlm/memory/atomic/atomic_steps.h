// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/atomic/atomic_access.h"

namespace sare {

/// Carries out an atomic access at a memory that knows none: the payload becomes a read of the value, then a
/// write of the new value, both without the extension. The caller keeps other accesses away meanwhile.
class atomic_steps {
  public:
    /// Makes `p`, which must have the extension, the read. The destructor restores `p`.
    explicit atomic_steps(tlm::tlm_generic_payload& p);
    ~atomic_steps();
    atomic_steps(const atomic_steps&) = delete;
    atomic_steps& operator=(const atomic_steps&) = delete;

    /// Makes `p` the write, after the answer to the read. False: the read has failed, so there is none.
    bool write();
    bool writes() const { return m_writes; }

  private:
    tlm::tlm_generic_payload& m_payload;
    atomic_access& m_what;
    unsigned char* const m_operand;
    const unsigned m_length, m_width;
    std::array<unsigned char, atomic_access::most_bytes> m_value{};
    bool m_writes = false;
};

}  // namespace sare
