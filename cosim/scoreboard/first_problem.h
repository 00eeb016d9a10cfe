// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>

namespace sare::cosim {

/// Runs steps that must all be done, whichever throws; the first exception is rethrown at the end.
class first_problem {
  public:
    template <class F>
    void of(F&& step) {
        try {
            step();
        } catch (...) {
            if (!m_first) m_first = std::current_exception();
        }
    }
    void rethrow() const {
        if (m_first) std::rethrow_exception(m_first);
    }

  private:
    std::exception_ptr m_first;
};

}  // namespace sare::cosim
