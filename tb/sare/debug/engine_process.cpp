// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/debug/engine_process.h"

#include "tlm/config/value.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

namespace sare::cli {
namespace {

volatile std::sig_atomic_t interrupt_flag = 0;  // written by the handler

void on_interrupt(int) {
    interrupt_flag = 1;
}

std::pair<line_channel, line_channel> connected_pair() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw config::error(std::string("debug: no connection between processes: ") + std::strerror(errno));
    return {line_channel(ends[0]), line_channel(ends[1])};
}

std::vector<int> open_descriptors() {
    std::vector<int> all;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
        all.push_back(std::stoi(entry.path().filename().string()));
    std::sort(all.begin(), all.end());
    return all;
}

/// Returns the kB that a line of a file of /proc has, 0 without it.
std::uint64_t kilobytes(const char* file, const std::string& key) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        if (line.rfind(key + ":", 0) == 0) return std::stoull(line.substr(key.size() + 1));
    return 0;
}

}  // namespace

line_channel::line_channel(line_channel&& o) noexcept
    : m_handle(std::exchange(o.m_handle, -1)),
      m_descriptor(std::exchange(o.m_descriptor, -1)),
      m_buffer(std::move(o.m_buffer)) {}

line_channel& line_channel::operator=(line_channel&& o) noexcept {
    std::swap(m_handle, o.m_handle);
    std::swap(m_descriptor, o.m_descriptor);
    std::swap(m_buffer, o.m_buffer);
    return *this;
}

line_channel::~line_channel() {
    if (m_handle >= 0) close(m_handle);
    if (m_descriptor >= 0) close(m_descriptor);
}

int line_channel::take_descriptor() {
    return std::exchange(m_descriptor, -1);
}

bool line_channel::send(const std::string& line, int descriptor) const {
    std::string text = line + "\n";
    for (std::size_t sent = 0; sent < text.size();) {
        iovec part{text.data() + sent, text.size() - sent};
        alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
        msghdr m{};
        m.msg_iov = &part;
        m.msg_iovlen = 1;
        if (descriptor >= 0 && sent == 0) {
            m.msg_control = room;
            m.msg_controllen = sizeof room;
            cmsghdr* const head = CMSG_FIRSTHDR(&m);
            head->cmsg_level = SOL_SOCKET;
            head->cmsg_type = SCM_RIGHTS;
            head->cmsg_len = CMSG_LEN(sizeof(int));
            std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
        }
        const ssize_t n = sendmsg(m_handle, &m, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) sent += static_cast<std::size_t>(n);
    }
    return true;
}

bool line_channel::receive(std::string& line) {
    for (;;) {
        if (const auto end = m_buffer.find('\n'); end != std::string::npos) {
            line = m_buffer.substr(0, end);
            m_buffer.erase(0, end + 1);
            return true;
        }
        char text[65536];
        iovec part{text, sizeof text};
        alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))];
        msghdr m{};
        m.msg_iov = &part;
        m.msg_iovlen = 1;
        m.msg_control = room;
        m.msg_controllen = sizeof room;
        const ssize_t n = recvmsg(m_handle, &m, MSG_CMSG_CLOEXEC);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        m_buffer.append(text, static_cast<std::size_t>(n));
        if (const cmsghdr* const head = CMSG_FIRSTHDR(&m); head != nullptr && head->cmsg_type == SCM_RIGHTS)
            std::memcpy(&m_descriptor, CMSG_DATA(head), sizeof m_descriptor);
    }
}

volatile std::sig_atomic_t& engine_side::interrupted() {
    return interrupt_flag;
}

engine_side::engine_side(line_channel front) : m_front(std::move(front)), m_before(open_descriptors()) {
    std::signal(SIGINT, on_interrupt);
}

void engine_side::fail(const std::string& why) {
    m_front.send(state_json{{"failed", why}}.dump(-1, ' ', false, state_json::error_handler_t::replace));
}

state_json engine_side::exchange(const state_json& answer) {
    std::string line;
    if (!answer.is_null()) m_front.send(answer.dump(-1, ' ', false, state_json::error_handler_t::replace));
    for (;;) {
        if (!m_front.receive(line)) _exit(0);
        state_json request = state_json::parse(line);
        if (request.value("do", "") != "keep") return request;
        keep();
    }
}

/// A copy must have all of the state: threads are not copied, and processes at the other end of a pipe or
/// socket are not either.
std::string engine_side::why_not_kept() const {
    if (open_descriptors().empty()) return "/proc is missing";
    const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
    if (std::distance(begin(tasks), end(tasks)) > 1) return "it has several threads";
    for (const int d : open_descriptors()) {
        struct stat is {};
        if (d == m_front.handle() || std::binary_search(m_before.begin(), m_before.end(), d)) continue;
        if (fstat(d, &is) == 0 && (S_ISSOCK(is.st_mode) || S_ISFIFO(is.st_mode)))
            return "it talks to another process, which cannot go back";
    }
    const std::uint64_t mine = kilobytes("/proc/self/status", "VmRSS");
    if (kilobytes("/proc/meminfo", "MemAvailable") < 2 * mine) return "a copy of it may not fit in memory";
    return "";
}

/// Files are read on from where they are now: a copy shares the place in a file with this process.
std::vector<engine_side::open_file> engine_side::files() const {
    std::vector<open_file> all;
    for (const int d : open_descriptors()) {
        struct stat is {};
        if (d > STDERR_FILENO && fstat(d, &is) == 0 && S_ISREG(is.st_mode))
            all.push_back({d, lseek(d, 0, SEEK_CUR), fcntl(d, F_GETFL)});
    }
    return all;
}

void engine_side::keep() {
    line_channel front(m_front.take_descriptor());
    const auto has_ended = [](int copy) { return waitpid(copy, nullptr, WNOHANG) != 0; };
    m_copies.erase(std::remove_if(m_copies.begin(), m_copies.end(), has_ended), m_copies.end());
    std::string why = why_not_kept();
    if (why.empty()) {
        const pid_t copy = fork();
        if (copy == 0) {
            m_front = std::move(front);
            front = line_channel();  // the other process alone answers there
            m_copies.clear();
            return wait_as_copy();
        }
        if (copy < 0) why = std::strerror(errno);
        if (copy > 0) m_copies.push_back(copy);
    }
    m_front.send(state_json{{"kept", why.empty()}, {"why", why}}.dump());
}

/// Stands still, and makes a copy that goes on for each "wake". Returns in that copy.
void engine_side::wait_as_copy() {
    const std::vector<open_file> open = files();
    std::string line;
    for (;;) {
        if (!m_front.receive(line)) _exit(0);
        line_channel front(m_front.take_descriptor());
        const pid_t copy = fork();
        if (copy < 0) {
            m_front.send(state_json{{"error", std::strerror(errno)}}.dump());
            continue;
        }
        if (copy != 0) {
            m_front.send("{}");
            continue;
        }
        m_front = std::move(front);
        front = line_channel();
        interrupt_flag = 0;
        for (const open_file& f : open) {
            const std::string name = fmt::format("/proc/self/fd/{}", f.descriptor);
            const int again = ::open(name.c_str(), f.flags & (O_ACCMODE | O_APPEND));
            if (again < 0) continue;
            lseek(again, f.offset, SEEK_SET);
            dup2(again, f.descriptor);
            close(again);
        }
        return;
    }
}

engine_processes::engine_processes(const std::function<void(engine_side&)>& body) {
    auto [front, engine] = connected_pair();
    const pid_t child = fork();
    if (child < 0) throw config::error(std::string("debug: no process: ") + std::strerror(errno));
    if (child == 0) {
        front = line_channel();
        engine_side side(std::move(engine));
        body(side);
        _exit(0);
    }
    m_active = std::move(front);
}

state_json engine_processes::ask(const state_json& request) {
    std::string line;
    m_active.send(request.dump());
    if (!m_active.receive(line)) throw config::error("debug: the process that runs the network has ended");
    state_json answer = state_json::parse(line);
    if (answer.contains("failed")) throw config::error(answer["failed"].get<std::string>());
    return answer;
}

std::string engine_processes::keep(std::uint64_t now) {
    constexpr std::size_t most = 16;
    if (!m_obstacle.empty() && m_copies.empty()) return m_obstacle;
    if (m_copies.size() == most) {  // every second one goes, but for the first
        std::size_t n = 0;
        std::vector<copy> rest;
        for (copy& c : m_copies)
            if (n++ % 2 == 0) rest.push_back(std::move(c));
        m_copies = std::move(rest);
        m_interval *= 2;
    }
    auto [front, engine] = connected_pair();
    std::string line;
    if (!m_active.send(R"({"do": "keep"})", engine.handle()) || !m_active.receive(line))
        throw config::error("debug: the process that runs the network has ended");
    const state_json answer = state_json::parse(line);
    m_obstacle = answer.value("why", "");
    if (m_obstacle.empty()) m_copies.push_back({now, std::move(front)});
    return m_obstacle;
}

std::uint64_t engine_processes::go_back(std::uint64_t cycle) {
    while (!m_copies.empty() && m_copies.back().cycle > cycle) m_copies.pop_back();
    if (m_copies.empty())
        throw config::error("back: no earlier state is kept" +
                            (m_obstacle.empty() ? "" : ": of the run no copy can be made; " + m_obstacle));
    auto [front, engine] = connected_pair();
    copy& from = m_copies.back();
    std::string line;
    if (!from.front.send(R"({"do": "wake"})", engine.handle()) || !from.front.receive(line))
        throw config::error("back: the copy of the run has ended");
    const state_json answer = state_json::parse(line);
    if (answer.contains("error")) throw config::error("back: " + answer["error"].get<std::string>());
    m_active = std::move(front);
    return from.cycle;
}

}  // namespace sare::cli
