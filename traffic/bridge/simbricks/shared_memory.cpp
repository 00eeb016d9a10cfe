// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/simbricks/shared_memory.h"

#include "traffic/bridge/peer.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace sare::traffic::simbricks {

shared_memory::shared_memory(descriptor file) : m_file(std::move(file)) {
    struct stat s {};
    if (fstat(m_file.get(), &s) != 0 || s.st_size <= 0)
        throw peer_failure("its shared memory is no file with something in it");
    m_size = static_cast<std::uint64_t>(s.st_size);
    void* at = mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_SHARED, m_file.get(), 0);
    if (at == MAP_FAILED)
        throw peer_failure(
            fmt::format("its shared memory of {} bytes cannot be mapped: {}", m_size, std::strerror(errno)));
    m_begin = static_cast<unsigned char*>(at);
}

shared_memory::~shared_memory() {
    if (m_begin != nullptr) munmap(m_begin, m_size);
}

shared_memory::shared_memory(shared_memory&& o) noexcept
    : m_file(std::move(o.m_file)),
      m_begin(std::exchange(o.m_begin, nullptr)),
      m_size(std::exchange(o.m_size, 0)) {}

shared_memory& shared_memory::operator=(shared_memory&& o) noexcept {
    std::swap(m_file, o.m_file);
    std::swap(m_begin, o.m_begin);
    std::swap(m_size, o.m_size);
    return *this;
}

shared_memory shared_memory::make(std::uint64_t size) {
    descriptor file(memfd_create("sare-simbricks", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file.is_open() || ftruncate(file.get(), static_cast<off_t>(size)) != 0)
        throw std::runtime_error(fmt::format("no shared memory of {} bytes for SimBricks' queues: {}", size,
                                             std::strerror(errno)));
    fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK);
    return shared_memory(std::move(file));
}

void shared_memory::check(const queue_shape& q, const char* name) const {
    constexpr std::uint64_t longest = 1 << 20;  ///< bytes of an entry
    const auto fail = [&](const std::string& what) {
        throw peer_failure("its queue " + std::string(name) + what);
    };
    if (q.entry < header || q.entry > longest)
        fail(fmt::format(" has entries of {} bytes; they have 64 to {}", q.entry, longest));
    if (q.entries == 0 || q.offset > m_size || q.entries > (m_size - q.offset) / q.entry)
        fail(fmt::format(" of {} entries of {} bytes at {} does not lie within its {} bytes of memory",
                         q.entries, q.entry, q.offset, m_size));
}

}  // namespace sare::traffic::simbricks
