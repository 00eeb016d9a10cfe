// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/clock.h"

#include "traffic/capture/trace_file.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace sare::capture {
namespace {

clockid_t chosen = CLOCK_THREAD_CPUTIME_ID;
std::int64_t reading = 0;  ///< nanoseconds that reading the clock takes

std::int64_t now() {
    timespec t{};
    clock_gettime(chosen, &t);
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace

/// Begins with the thread: its own clock has been running from 0.
stopwatch::stopwatch() : m_since(chosen == CLOCK_THREAD_CPUTIME_ID ? 0 : now()) {}

stopwatch& stopwatch::mine() {
    thread_local stopwatch own;
    return own;
}

void stopwatch::choose() {
    const char* const named = std::getenv("SARE_TRACE_CLOCK");
    const std::string name = named != nullptr ? named : "thread";
    if (name == "process")
        chosen = CLOCK_PROCESS_CPUTIME_ID;
    else if (name == "wall")
        chosen = CLOCK_MONOTONIC;
    else if (name != "thread")
        say("SARE_TRACE_CLOCK is '" + name + "'; it must be thread, process or wall: thread is taken");
    constexpr int tries = 100;
    reading = INT64_MAX;
    for (int i = 0; i < tries; ++i) {
        const std::int64_t before = now();
        reading = std::min(reading, now() - before);
    }
}

void stopwatch::resume() {
    m_since = now();
}

void stopwatch::pause() {
    m_done += std::max<std::int64_t>(0, now() - m_since - reading);
}

std::int64_t stopwatch::take() {
    const std::int64_t done = m_done;
    m_done = 0;
    return done;
}

}  // namespace sare::capture
