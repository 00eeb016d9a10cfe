// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/recorder.h"

#include "traffic/capture/clock.h"

#include <cstdlib>

namespace sare::capture {
namespace {

thread_local int depth = 0;  ///< number of MPI's functions that a thread is inside of

}  // namespace

recorder::recorder() {
    const char* const folder = std::getenv("SARE_TRACE_DIR");
    if (folder != nullptr) m_folder = folder;
}

recorder& recorder::instance() {
    // Never destroyed: other libraries may call MPI in their destructors.
    static recorder& only = *new recorder;
    return only;
}

void recorder::start(int task, int tasks, bool threaded) {
    if (!wanted()) return;
    stopwatch::choose();
    m_task = task;
    m_threaded = threaded;
    m_file.open(m_folder + "/task-" + std::to_string(task));
    m_file.write("# task " + std::to_string(task) + " of " + std::to_string(tasks) + "\n");
    m_running = true;
}

void recorder::finish(const char* how) {
    if (!m_running) return;
    write("");
    const std::lock_guard<std::mutex> alone(m_mutex);
    m_file.write(std::string("# ") + how + "\n");
    m_running = false;
    m_file.close();
    m_communicators.close();
}

std::uint64_t recorder::write(const std::string& text) {
    const std::lock_guard<std::mutex> alone(m_mutex);
    const std::int64_t computed = stopwatch::mine().take();
    std::string before;
    if (computed > 0) before = std::to_string(m_task) + " compute " + std::to_string(computed) + "e-9\n";
    m_last = text;
    if (text.empty()) return m_file.write(before);
    return m_file.write(before + text + "\n") + before.size();
}

void recorder::repeatable_event(const std::string& text) {
    {
        const std::lock_guard<std::mutex> alone(m_mutex);
        if (m_last == std::to_string(m_task) + " " + text) return;
    }
    event(text);
}

void recorder::communicator(const std::string& line) {
    const std::lock_guard<std::mutex> alone(m_mutex);
    if (!m_has_communicators) m_communicators.open(m_folder + "/communicators-" + std::to_string(m_task));
    m_has_communicators = true;
    m_communicators.write(line + "\n");
}

void recorder::patch(std::uint64_t offset, const std::string& text) {
    const std::lock_guard<std::mutex> alone(m_mutex);
    m_file.patch(offset, text);
}

void recorder::warn(const std::string& text) {
    const std::lock_guard<std::mutex> alone(m_mutex);
    if (m_said.insert(text).second) say("task " + std::to_string(m_task) + ": " + text);
}

call::call() {
    if (depth++ != 0 || !recorder::instance().running()) return;
    stopwatch::mine().pause();
    m_recorded = true;
}

call::~call() {
    if (--depth == 0 && recorder::instance().running()) stopwatch::mine().resume();
}

}  // namespace sare::capture
