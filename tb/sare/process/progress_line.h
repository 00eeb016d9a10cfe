// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/network/simulation.h"

#include <chrono>
#include <string>

namespace sare::cli {

/// One line on stderr, written over and over and erased at the end; nothing where stderr is no terminal, and
/// nothing in the first two seconds.
class progress_line {
  public:
    explicit progress_line(bool quiet);
    ~progress_line() { erase(); }
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;

    void show(const progress& p);        ///< of a run
    void show(const std::string& text);  ///< anything else
    void erase();
    double elapsed() const;  ///< seconds

  private:
    using clock = std::chrono::steady_clock;
    bool due();

    bool m_on;
    bool m_visible = false;
    clock::time_point m_begin = clock::now(), m_shown = m_begin, m_sampled = m_begin;
    std::uint64_t m_sampled_cycle = 0;
    double m_rate = 0;
    double m_first_done = -1;     ///< when it was known first; negative: not known yet
    clock::time_point m_first{};  ///< when that was
};

}  // namespace sare::cli
