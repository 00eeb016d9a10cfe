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

/// Threads that run one function at the same time, each for a part of the data, again and again. run() is
/// called in every cycle, so a thread without work polls for some tens of microseconds before it sleeps. What
/// any thread has written during a run() is seen by all threads in the next one.
class thread_team {
  public:
    /// Starts `members` - 1 threads; `members` must be 1 or more (not checked). The thread that calls run()
    /// is member 0.
    explicit thread_team(std::uint32_t members);
    ~thread_team();
    thread_team(const thread_team&) = delete;
    thread_team& operator=(const thread_team&) = delete;

    /// True in the process that made the team. A forked child has no threads: there, neither run() nor the
    /// destructor may be called.
    bool is_here() const;

    /// Calls f(member) for every member, 0 to `members` - 1, at the same time, f(0) in this thread, and
    /// returns when all calls have ended. If calls threw, throws the exception of the lowest such member. `f`
    /// must not call run().
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
    void attempt(std::uint32_t member);  ///< calls the function for a member, and keeps its exception
    void work(std::uint32_t member);     ///< runs in the thread of a member until the end
    std::uint32_t wait_for_task(std::uint32_t last);

    void (*m_task)(const void*, std::uint32_t) = nullptr;  ///< calls the function at m_what for a member
    const void* m_what = nullptr;                          ///< function given to the present run()
    std::vector<std::exception_ptr> m_failures;  ///< exception of each member in the present run(), or null
    std::vector<std::thread> m_others;           ///< members 1 and up
    alignas(64) std::atomic<std::uint32_t> m_tasks{0};  ///< number of calls of begin() so far
    /// Number of threads that have not ended the present run().
    alignas(64) std::atomic<std::uint32_t> m_at_work{0};
    alignas(64) std::atomic<std::uint32_t> m_asleep{0};  ///< number of threads that wait for m_wake
    std::atomic<bool> m_over{false};                     ///< the destructor runs: threads end
    const int m_process;                                 ///< id of the process that made the team
    std::mutex m_mutex;
    std::condition_variable m_wake;
};

}  // namespace sare
