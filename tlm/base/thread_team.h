// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sare {

/// Threads that do the same thing to different parts of something, again and again: run() comes every cycle,
/// so between calls they wait by looking, for some microseconds, before they sleep. What one call wrote the
/// next one sees, whatever thread runs it.
class thread_team {
  public:
    /// The thread that calls run() is one of the `members` (>= 1).
    explicit thread_team(std::uint32_t members);
    ~thread_team();
    thread_team(const thread_team&) = delete;
    thread_team& operator=(const thread_team&) = delete;

    /// Not in a process that was forked off: there are no threads there, and this must neither run nor end.
    bool is_here() const;

    /// Calls f(member) for every member at the same time, f(0) in this thread, and returns when all have
    /// ended. Throws what the member of the lowest number threw.
    template <class F>
    void run(const F& f) {
        m_task = [](const void* what, std::uint32_t member) { (*static_cast<const F*>(what))(member); };
        m_what = &f;
        begin();
        attempt(0);
        end();
    }

  private:
    void begin();
    void end();
    void attempt(std::uint32_t member);
    void work(std::uint32_t member);
    std::uint32_t wait_for_task(std::uint32_t last);

    void (*m_task)(const void*, std::uint32_t) = nullptr;
    const void* m_what = nullptr;
    std::vector<std::exception_ptr> m_failures;  ///< by member, of the present task
    std::vector<std::thread> m_others;
    alignas(64) std::atomic<std::uint32_t> m_tasks{0};  ///< begun so far
    alignas(64) std::atomic<std::uint32_t> m_at_work{0};
    alignas(64) std::atomic<std::uint32_t> m_asleep{0};
    std::atomic<bool> m_over{false};
    const int m_process;
    std::mutex m_mutex;
    std::condition_variable m_wake;
};

}  // namespace sare
