// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/atomic/atomic_access.h"

namespace sare {

/// An atomic access to a memory that knows none: the payload becomes a read of the value, then the write of
/// what it has become, without the extension. Whoever calls the memory keeps other accesses away meanwhile.
class atomic_steps {
  public:
    /// `p`, which has the extension, is the read until this ends.
    explicit atomic_steps(tlm::tlm_generic_payload& p);
    ~atomic_steps();
    atomic_steps(const atomic_steps&) = delete;
    atomic_steps& operator=(const atomic_steps&) = delete;

    /// The read is answered: `p` is the write. False: there is none, as the read has failed.
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
