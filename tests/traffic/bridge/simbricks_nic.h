// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>

/// The NIC's side of a SimBricks Ethernet link, by SimBricks' published headers and by nothing of Sare's.
namespace sare::testing_support {

struct listener_intro {
    std::uint64_t version = 1, flags = 1;
    std::uint64_t l2c_offset = 0, l2c_elen = 1600, l2c_nentries = 16;
    std::uint64_t c2l_offset = 1600 * 16, c2l_elen = 1600, c2l_nentries = 16;
    std::uint64_t upper_layer_proto = 1, upper_layer_intro_off = 80;
};
static_assert(sizeof(listener_intro) == 80);

struct connecter_intro {
    std::uint64_t version = 1, flags = 1, upper_layer_proto = 1, upper_layer_intro_off = 32;
};
static_assert(sizeof(connecter_intro) == 32);

struct net_message {
    std::uint16_t len;
    std::uint8_t port, pad[45];
    std::uint64_t timestamp;
    std::uint8_t pad_[7], own_type;
    char data[1];
};
static_assert(offsetof(net_message, timestamp) == 48 && offsetof(net_message, own_type) == 63 &&
              offsetof(net_message, data) == 64);

class simbricks_nic {
  public:
    using pumper = std::function<bool(const std::function<bool()>&)>;
    static constexpr std::uint64_t latency = 500'000, own_con = 0x80;
    enum : std::uint8_t { sync = 0, terminate = 1, packet = 0x40 };

    simbricks_nic(std::string path, pumper pump) : m_path(std::move(path)), m_pump(std::move(pump)) {}
    ~simbricks_nic() {
        hang_up();
        if (m_door >= 0) close(m_door);
        unlink(m_path.c_str());
    }
    simbricks_nic(const simbricks_nic&) = delete;
    simbricks_nic& operator=(const simbricks_nic&) = delete;

    void listen() {
        unlink(m_path.c_str());
        m_door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        const sockaddr_un a = address();
        if (bind(m_door, reinterpret_cast<const sockaddr*>(&a), sizeof a) != 0 || ::listen(m_door, 5) != 0)
            throw std::runtime_error("the test's NIC cannot listen at " + m_path);
    }
    /// What it would send first; `memory_size`: of its file.
    void accept(const listener_intro& intro = {}, std::uint64_t memory_size = 2 * 1600 * 16,
                bool with_file = true) {
        m_pump([&] { return (m_line = ::accept(m_door, nullptr, nullptr)) >= 0; });
        const int file = memfd_create("nic", MFD_CLOEXEC);
        if (ftruncate(file, static_cast<off_t>(memory_size)) != 0) throw std::runtime_error("ftruncate");
        map(file);
        send_words(&intro, sizeof intro, with_file ? file : -1);
        close(file);
        use(intro.l2c_offset, intro.l2c_elen, intro.l2c_nentries, m_out);
        use(intro.c2l_offset, intro.c2l_elen, intro.c2l_nentries, m_in);
    }
    /// The connecter's words.
    connecter_intro hear_connecter() {
        connecter_intro c{};
        read_words(&c, sizeof c);
        return c;
    }
    /// Where Sare listens. False: it has hung up.
    bool connect(const connecter_intro& intro = {}) {
        hang_up();
        m_line = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_un a = address();
        m_pump([&] { return ::connect(m_line, reinterpret_cast<const sockaddr*>(&a), sizeof a) == 0; });
        send_words(&intro, sizeof intro, -1);
        listener_intro theirs{};
        if (read_words(&theirs, sizeof theirs) != sizeof theirs) return false;
        map(m_file);
        close(m_file);
        use(theirs.l2c_offset, theirs.l2c_elen, theirs.l2c_nentries, m_in);
        use(theirs.c2l_offset, theirs.c2l_elen, theirs.c2l_nentries, m_out);
        return true;
    }
    bool is_cut_off() {
        char c;
        return m_pump([&] { return recv(m_line, &c, 1, MSG_DONTWAIT) == 0; });
    }
    void hang_up() {
        if (m_line >= 0) close(m_line);
        m_line = -1;
    }

    /// The entry that it fills next.
    net_message* alloc() {
        net_message* m = at(m_out);
        const bool is_free =
            m_pump([&] { return (__atomic_load_n(&m->own_type, __ATOMIC_ACQUIRE) & own_con) == 0; });
        if (!is_free) throw std::runtime_error("the test's NIC finds its queue full");
        return m;
    }
    void hand_over(net_message* m, std::uint8_t type) {
        __atomic_store_n(&m->own_type, static_cast<std::uint8_t>(type | own_con), __ATOMIC_RELEASE);
        m_out.next();
    }
    /// At its own time `now`.
    void send(std::uint8_t type, std::uint64_t now, const std::string& frame = "") {
        net_message* m = alloc();
        m->timestamp = now + latency;
        m->len = static_cast<std::uint16_t>(frame.size());
        std::memcpy(m->data, frame.data(), frame.size());
        hand_over(m, type);
    }
    /// The next message, "sync at 5", "terminate" or "packet at 5: ..." ; "": it does not come.
    std::string receive() {
        net_message* m = at(m_in);
        if (!m_pump([&] { return (__atomic_load_n(&m->own_type, __ATOMIC_ACQUIRE) & own_con) != 0; }))
            return "";
        const std::uint8_t type = m->own_type & 0x7f;
        std::string out = type == terminate ? "terminate" : type == sync ? "sync at " : "packet at ";
        if (type != terminate) out += std::to_string(m->timestamp);
        if (type == packet) out += ": " + std::string(m->data, m->len);
        m_time = type == terminate ? ~std::uint64_t{0} : m->timestamp;
        __atomic_store_n(&m->own_type, type, __ATOMIC_RELEASE);
        m_in.next();
        return out;
    }
    /// Time stamp of the last message: up to where it may run.
    std::uint64_t time() const { return m_time; }
    int line() const { return m_line; }

  private:
    struct queue {
        unsigned char* begin = nullptr;
        std::uint64_t elen = 1, nentries = 1, pos = 0;
        void next() { pos = (pos + 1) % nentries; }
    };
    static net_message* at(const queue& q) {
        return static_cast<net_message*>(static_cast<void*>(q.begin + q.pos * q.elen));
    }
    void use(std::uint64_t offset, std::uint64_t elen, std::uint64_t nentries, queue& q) const {
        q = {m_memory + offset, elen, nentries, 0};
    }
    void map(int file) {
        struct stat s {};
        fstat(file, &s);
        m_memory = static_cast<unsigned char*>(
            mmap(nullptr, static_cast<std::size_t>(s.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    }
    sockaddr_un address() const {
        sockaddr_un a{};
        a.sun_family = AF_UNIX;
        m_path.copy(a.sun_path, sizeof a.sun_path - 1);
        return a;
    }
    void send_words(const void* words, std::size_t size, int file) const {
        iovec text{const_cast<void*>(words), size};
        msghdr m{};
        m.msg_iov = &text;
        m.msg_iovlen = 1;
        alignas(cmsghdr) char beside[CMSG_SPACE(sizeof(int))] = {};
        if (file >= 0) {
            m.msg_control = beside;
            m.msg_controllen = sizeof beside;
            cmsghdr* c = CMSG_FIRSTHDR(&m);
            c->cmsg_level = SOL_SOCKET;
            c->cmsg_type = SCM_RIGHTS;
            c->cmsg_len = CMSG_LEN(sizeof(int));
            std::memcpy(CMSG_DATA(c), &file, sizeof file);
        }
        sendmsg(m_line, &m, MSG_NOSIGNAL);
    }
    std::size_t read_words(void* words, std::size_t size) {
        iovec text{words, size};
        msghdr m{};
        m.msg_iov = &text;
        m.msg_iovlen = 1;
        alignas(cmsghdr) char beside[CMSG_SPACE(sizeof(int))] = {};
        m.msg_control = beside;
        m.msg_controllen = sizeof beside;
        ssize_t got = -1;
        m_pump([&] { return (got = recvmsg(m_line, &m, MSG_DONTWAIT)) >= 0; });
        if (const cmsghdr* c = CMSG_FIRSTHDR(&m); got > 0 && c != nullptr)
            std::memcpy(&m_file, CMSG_DATA(c), sizeof m_file);
        return got < 0 ? 0 : static_cast<std::size_t>(got);
    }

    std::string m_path;
    pumper m_pump;
    int m_door = -1, m_line = -1, m_file = -1;
    unsigned char* m_memory = nullptr;
    queue m_in, m_out;
    std::uint64_t m_time = 0;
};

}  // namespace sare::testing_support
