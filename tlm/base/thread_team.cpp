// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/thread_team.h"

#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sare {
namespace {

void relax() {
#if defined(__x86_64__)
    _mm_pause();
#endif
}

/// Number of polls before a thread sleeps or yields: some tens of microseconds.
constexpr std::uint32_t looks = 2000;

}  // namespace

thread_team::thread_team(std::uint32_t members) : m_failures(members), m_process(getpid()) {
    for (std::uint32_t k = 1; k < members; ++k) m_others.emplace_back([this, k] { work(k); });
}

thread_team::~thread_team() {
    m_over = true;
    begin();
    for (std::thread& t : m_others) t.join();
}

bool thread_team::is_here() const {
    return m_process == getpid();
}

void thread_team::begin() {
    m_at_work.store(static_cast<std::uint32_t>(m_others.size()), std::memory_order_relaxed);
    m_tasks.fetch_add(1);  // in one order with m_asleep: who goes to sleep sees this, or is seen here
    if (m_asleep.load() == 0) return;
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_wake.notify_all();
}

void thread_team::attempt(std::uint32_t member) {
    try {
        m_task(m_what, member);
    } catch (...) {
        m_failures[member] = std::current_exception();
    }
}

void thread_team::end() {
    for (std::uint32_t k = 0; m_at_work.load(std::memory_order_acquire) != 0; ++k)
        k < looks ? relax() : std::this_thread::yield();
    std::exception_ptr first;
    for (std::exception_ptr& failure : m_failures) {
        if (!first) first = failure;
        failure = nullptr;
    }
    if (first) std::rethrow_exception(first);
}

/// Waits until the number of tasks begun so far is another one than `last`; returns it.
std::uint32_t thread_team::wait_for_task(std::uint32_t last) {
    for (std::uint32_t k = 0; k < looks; ++k) {
        if (const std::uint32_t now = m_tasks.load(std::memory_order_acquire); now != last) return now;
        relax();
    }
    std::unique_lock<std::mutex> lock(m_mutex);
    m_asleep.fetch_add(1);
    m_wake.wait(lock, [&] { return m_tasks.load() != last; });
    m_asleep.fetch_sub(1);
    return m_tasks.load();
}

void thread_team::work(std::uint32_t member) {
    for (std::uint32_t seen = 0;;) {
        seen = wait_for_task(seen);
        if (m_over) return;
        attempt(member);
        m_at_work.fetch_sub(1, std::memory_order_release);
    }
}

}  // namespace sare
