// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/simbricks/queues.h"

#include "traffic/bridge/peer.h"

#include <fmt/format.h>

#include <cstring>

namespace sare::traffic::simbricks {
namespace {

template <class N>
N number_at(const unsigned char* at) {
    N n = 0;
    for (std::size_t i = 0; i < sizeof n; ++i) n = static_cast<N>(n | static_cast<N>(at[i]) << (8 * i));
    return n;
}

template <class N>
void put_number(unsigned char* at, N n) {
    for (std::size_t i = 0; i < sizeof n; ++i) at[i] = static_cast<unsigned char>(n >> (8 * i));
}

}  // namespace

const incoming::message* incoming::head() {
    if (m_head) return &*m_head;
    const std::uint8_t state = owner();
    if ((state & owner_bit) == 0) return nullptr;
    m_head.emplace();
    m_head->type = static_cast<std::uint8_t>(state & ~owner_bit);
    m_head->length = number_at<std::uint16_t>(entry() + length_at);
    m_head->time = number_at<std::uint64_t>(entry() + time_at);
    return &*m_head;
}

std::shared_ptr<const std::vector<std::uint8_t>> incoming::bytes() const {
    if (m_head->length > room())
        throw peer_failure(fmt::format("a frame of {} bytes in an entry for {}", m_head->length, room()));
    const unsigned char* from = entry() + header;
    return std::make_shared<const std::vector<std::uint8_t>>(from, from + m_head->length);
}

void incoming::drop() {
    pass_on(m_head->type);
    m_head.reset();
}

bool outgoing::put(std::uint8_t type, picoseconds time, const std::vector<std::uint8_t>* bytes) {
    if ((owner() & owner_bit) != 0) return false;
    std::memset(entry(), 0, owner_at);
    put_number(entry() + time_at, time);
    if (bytes != nullptr) {
        put_number(entry() + length_at, static_cast<std::uint16_t>(bytes->size()));
        std::memcpy(entry() + header, bytes->data(), bytes->size());
    }
    pass_on(type | owner_bit);
    return true;
}

}  // namespace sare::traffic::simbricks
