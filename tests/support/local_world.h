// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/world.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sare::test {

/// What the ranks of a world have in common that are threads of this process.
class meeting_place {
  public:
    explicit meeting_place(std::uint32_t ranks)
        : numbers(ranks), texts(ranks), letters(ranks, std::vector<std::vector<std::uint64_t>>(ranks)) {}

    std::uint32_t ranks() const { return static_cast<std::uint32_t>(numbers.size()); }
    /// Returns when all ranks are here; throws where one has failed.
    void meet() {
        std::unique_lock<std::mutex> lock(m_mutex);
        const std::uint64_t meeting = m_meetings;
        if (++m_here == ranks()) {
            m_here = 0;
            ++m_meetings;
            m_changed.notify_all();
        }
        m_changed.wait(lock, [&] { return m_meetings != meeting || m_failure; });
        if (m_failure) throw std::runtime_error("another rank has failed");
    }
    /// The first failure is why the other ranks fail too, and is the one to be told.
    void fail(std::exception_ptr why) {
        const std::lock_guard<std::mutex> lock(m_mutex);
        if (!m_failure) m_failure = std::move(why);
        m_changed.notify_all();
    }
    /// None: all is well. Read when the ranks have ended.
    const std::exception_ptr& failure() const { return m_failure; }

    std::vector<std::vector<std::uint64_t>> numbers;               ///< by rank
    std::vector<std::string> texts;                                ///< by rank
    std::vector<std::vector<std::vector<std::uint64_t>>> letters;  ///< [from][to]

  private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::uint32_t m_here = 0;
    std::uint64_t m_meetings = 0;
    std::exception_ptr m_failure;
};

class local_world final : public world {
  public:
    local_world(meeting_place& all, std::uint32_t rank) : m_all(all), m_rank(rank) {}

    std::uint32_t rank() const override { return m_rank; }
    std::uint32_t ranks() const override { return m_all.ranks(); }
    using world::sum;
    void sum(std::uint64_t* values, std::size_t count) override {
        m_all.numbers[m_rank].assign(values, values + count);
        m_all.meet();
        for (std::size_t k = 0; k < count; ++k) {
            values[k] = 0;
            for (const auto& each : m_all.numbers) values[k] += each[k];
        }
        m_all.meet();
    }
    std::uint64_t least(std::uint64_t mine) override {
        m_all.numbers[m_rank] = {mine};
        m_all.meet();
        for (const auto& each : m_all.numbers) mine = std::min(mine, each[0]);
        m_all.meet();
        return mine;
    }
    std::uint64_t of_first(std::uint64_t mine) override {
        m_all.numbers[m_rank] = {mine};
        m_all.meet();
        const std::uint64_t first = m_all.numbers[0][0];
        m_all.meet();
        return first;
    }
    void exchange(const std::vector<std::uint32_t>& others,
                  std::vector<std::vector<std::uint64_t>>& words) override {
        for (std::size_t k = 0; k < others.size(); ++k) m_all.letters[m_rank][others[k]] = words[k];
        m_all.meet();
        for (std::size_t k = 0; k < others.size(); ++k) words[k] = m_all.letters[others[k]][m_rank];
        m_all.meet();
    }
    std::vector<std::string> gather(const std::string& mine) override {
        m_all.texts[m_rank] = mine;
        m_all.meet();
        std::vector<std::string> all;
        if (m_rank == 0) all = m_all.texts;
        m_all.meet();
        return all;
    }
    bool did_all_fail() override { return false; }

  private:
    meeting_place& m_all;
    const std::uint32_t m_rank;
};

}  // namespace sare::test
