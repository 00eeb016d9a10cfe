// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/simbricks/handshake.h"

#include "traffic/bridge/wire.h"

#include <fmt/format.h>

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

namespace sare::traffic::simbricks {
namespace {

/// Space for one file descriptor beside the words.
union control {
    cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool overlap(const queue_shape& a, const queue_shape& b) {
    return a.offset < b.offset + b.entry * b.entries && b.offset < a.offset + a.entry * a.entries;
}

}  // namespace

handshake handshake::as_connecter(descriptor line) {
    handshake h;
    h.m_line = std::move(line);
    h.send({version, flag_synchronises | flag_insists, ethernet, connecter_words * sizeof(std::uint64_t)});
    return h;
}

handshake handshake::as_listener(descriptor line, std::uint64_t entries, std::uint32_t max_frame) {
    handshake h;
    h.m_listens = true;
    h.m_line = std::move(line);
    const std::uint64_t entry = (header + max_frame + 63) / 64 * 64;
    h.m_in = {0, entry, entries};
    h.m_out = {entry * entries, entry, entries};
    h.m_memory = shared_memory::make(2 * entry * entries);
    h.send({version, flag_synchronises | flag_insists, h.m_out.offset, entry, entries, h.m_in.offset, entry,
            entries, ethernet, listener_words * sizeof(std::uint64_t)});
    return h;
}

void handshake::send(const std::vector<std::uint64_t>& words) const {
    std::string bytes;
    for (const std::uint64_t w : words) wire::append(bytes, w, sizeof w);
    iovec text{bytes.data(), bytes.size()};
    msghdr m{};
    m.msg_iov = &text;
    m.msg_iovlen = 1;
    control beside{};
    if (m_listens) {
        m.msg_control = beside.bytes;
        m.msg_controllen = sizeof beside.bytes;
        cmsghdr* file = CMSG_FIRSTHDR(&m);
        file->cmsg_level = SOL_SOCKET;
        file->cmsg_type = SCM_RIGHTS;
        file->cmsg_len = CMSG_LEN(sizeof(int));
        const int fd = m_memory.file();
        std::memcpy(CMSG_DATA(file), &fd, sizeof fd);
    }
    if (sendmsg(m_line.get(), &m, MSG_DONTWAIT | MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size()))
        throw peer_failure("it is gone before the handshake");
}

bool handshake::hear() {
    receive();
    const std::size_t words = m_listens ? std::size_t{connecter_words} : std::size_t{listener_words};
    if (m_heard.size() < words * sizeof(std::uint64_t)) return false;
    if (m_listens) {
        check(word(c_version), word(c_flags), word(c_upper));
        return true;
    }
    check(word(l_version), word(l_flags), word(l_upper));
    if (!m_file.is_open()) throw peer_failure("it sent no shared memory with its first words");
    m_memory = shared_memory(std::move(m_file));
    m_in = {word(l_out_offset), word(l_out_entry), word(l_out_entries)};
    m_out = {word(l_in_offset), word(l_in_entry), word(l_in_entries)};
    m_memory.check(m_in, "to the network");
    m_memory.check(m_out, "from the network");
    if (overlap(m_in, m_out)) throw peer_failure("its two queues lie on each other");
    return true;
}

void handshake::receive() {
    std::array<char, most> buffer;  // not initialised
    iovec text{buffer.data(), most - m_heard.size()};
    control beside{};
    msghdr m{};
    m.msg_iov = &text;
    m.msg_iovlen = 1;
    m.msg_control = beside.bytes;
    m.msg_controllen = sizeof beside.bytes;
    const ssize_t got = recvmsg(m_line.get(), &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) throw peer_failure("it hung up before its first words were complete");
    m_heard.append(buffer.data(), static_cast<std::size_t>(got));
    const cmsghdr* file = CMSG_FIRSTHDR(&m);
    if (file == nullptr || file->cmsg_level != SOL_SOCKET || file->cmsg_type != SCM_RIGHTS) return;
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(file), sizeof fd);
    m_file = descriptor(fd);
}

void handshake::check(std::uint64_t their_version, std::uint64_t flags, std::uint64_t upper) const {
    if (their_version != version)
        throw peer_failure(fmt::format("it speaks version {} of SimBricks' base protocol; this is version {}",
                                       their_version, version));
    if (upper != ethernet)
        throw peer_failure(
            fmt::format("it speaks protocol {} on it; Ethernet's number is {}", upper, ethernet));
    if ((flags & flag_synchronises) == 0)
        throw peer_failure("it does not synchronise; Sare needs that: switch it on there");
}

std::uint64_t handshake::word(std::size_t place) const {
    return wire::reader(m_heard.data() + 8 * place, 8).get<std::uint64_t>();
}

connection handshake::finish(std::uint32_t max_frame) {
    if (m_out.entry - header < max_frame)
        throw peer_failure(
            fmt::format("its queue holds frames of {} bytes; this run's may have {}: set 'max_frame'",
                        m_out.entry - header, max_frame));
    connection c;
    c.line = std::move(m_line);
    c.memory = std::move(m_memory);
    c.in = m_in;
    c.out = m_out;
    return c;
}

}  // namespace sare::traffic::simbricks
