// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/access_options.h"
#include "tlm/memory/params.h"
#include "tlm/memory/timing/access_timing.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace sare {

class initiator_port;
class memory_port;
template <class T>
class reorder_buffer;
class split_access;
struct accesses_of_id;
struct placement;

/// A packet that carried part of a message of an access.
struct access_packet {
    std::uint64_t number = 0;  ///< number of the packet in order of injection, from 0
    bool response = false;     ///< true: packet of the response; false: of the request
    std::uint32_t source = 0, destination = 0, flits = 0;  ///< nodes, and length of the packet
    sc_core::sc_time injected, consumed;                   ///< times at which it entered and left
    const void* slot = nullptr;  ///< the packet itself while it is in the network; else null
};

/// An access on its way through the network: a copy of the initiator's transaction, with data of its own, so
/// that it outlives the initiator's call. The memory sees the original where show() says so, else this copy.
struct memory_access final : tlm::tlm_generic_payload {
    memory_access(std::uint32_t s, tlm::tlm_mm_interface& manager)
        : tlm::tlm_generic_payload(&manager), slot(s) {}

    /// Makes this a copy of `of`, with the address and length that the memory at `at` sees.
    void copy(tlm::tlm_generic_payload& of, const placement& at);
    /// Asks for the default classes: the memory may forward the access into a network with others.
    void drop_classes();
    /// Returns the transaction that the memory is to be called with. The original, at the memory's address,
    /// if it is kept by a memory manager or carries extensions that are not Sare's: these may hold what the
    /// memory works on, as a packet of another simulator. Else, and for a part of a split access, an atomic
    /// access and one whose process is gone, this copy.
    tlm::tlm_generic_payload& show();
    /// Transaction that the memory has been called with.
    const tlm::tlm_generic_payload& shown() const { return const_cast<memory_access*>(this)->shown(); }
    tlm::tlm_generic_payload& shown() {
        return m_shown.payload != nullptr ? *m_shown.payload : static_cast<tlm::tlm_generic_payload&>(*this);
    }
    /// Ends what show() began, when the memory has done the access: the original has its own address again,
    /// and this copy the response.
    void take_back();
    /// The original is gone: its process was killed.
    void leave_original();
    /// Copies status, extensions and the data read into the original. The status is an error if the original
    /// has become longer than its copy.
    void bring_back();
    /// True if the initiator has made its transaction longer while it is under way, which is an error.
    bool has_outgrown_its_copy() const {
        return !m_data.empty() && original->get_data_length() > m_data.size();
    }
    /// The transaction of the initiator: the original, or the one that the original is a part of.
    tlm::tlm_generic_payload& whole() const;
    void forget();
    /// True if the access changes memory, also while atomic_steps makes an atomic access a read.
    bool writes() const { return atomic || is_write(); }

    const std::uint32_t slot;                      ///< number of this object in its access_pool
    tlm::tlm_generic_payload* original = nullptr;  ///< null: the process that waited for it is gone
    initiator_port* from = nullptr;                ///< initiator that has made the access
    memory_port* to = nullptr;                     ///< memory that it goes to
    access_mode mode = access_mode::exact;         ///< mode in which the access began
    bool probe = false;                            ///< true: only messages, sent to learn how long they take
    std::uint32_t id = 0;                          ///< see access_id
    std::uint32_t request_class = 0, response_class = access_options::last;  ///< message classes
    /// True if the access asks for other message classes than most.
    bool has_classes() const { return request_class != 0 || response_class != access_options::last; }
    bool atomic = false;  ///< true: see atomic_access
    bool alone = false;   ///< true: exclusive or atomic, so overlapping accesses wait for its end
    struct {
        accesses_of_id* of_id = nullptr;  ///< accesses of its ID
        std::uint32_t* places = nullptr;  ///< places in use at its memory
    } kept;                    ///< counts that the initiator keeps for accesses of this ID and to this memory
    std::uint64_t number = 0;  ///< number among the accesses of its ID, which orders responses
    reorder_buffer<memory_access*>* order = nullptr;  ///< numbers of requests to that memory
    std::uint64_t request_number = 0;     ///< numbers of requests with its initiator, ID and memory
    std::uint64_t tag = 0;                ///< tag of its message that is on its way; 0: none
    bool response = false;                ///< true: its message is the response
    bool over = false;                    ///< true: the initiator may have its response
    bool answered = false;                ///< true: the memory has answered it
    bool end_owed = false;                ///< true: the memory must get END_RESP by a call
    access_times times;                   ///< times so far
    std::vector<access_packet> packets;   ///< packets of both messages, if packets are noted
    std::shared_ptr<split_access> split;  ///< the access that this is a part of; null: none
    struct {
        bool waited_for = false;  ///< true: a call of b_transport waits; false: it came by phases
        sc_core::sc_event event;
    } done;

  private:
    std::vector<unsigned char> m_data, m_enables;
    /// Original that the memory sees now.
    struct {
        tlm::tlm_generic_payload* payload = nullptr;  ///< null: the memory sees this copy
        sc_dt::uint64 own_address = 0;                ///< address of `payload` for its initiator
        unsigned own_length = 0;                      ///< its length for its initiator
        bool was = false;  ///< the memory has seen the original, which has its data and extensions already
    } m_shown;
};

/// The transactions of an initiator that are under way, a few at a time; a payload must not begin twice.
class open_payloads {
  public:
    bool has(const tlm::tlm_generic_payload& p) const {
        return std::find(m_all.begin(), m_all.end(), &p) != m_all.end();
    }
    void add(const tlm::tlm_generic_payload& p) { m_all.push_back(&p); }
    /// Removes a payload by its address, without reading it; does nothing if it is not there.
    void remove(const tlm::tlm_generic_payload* p) {
        const auto found = std::find(m_all.begin(), m_all.end(), p);
        if (found == m_all.end()) return;
        *found = m_all.back();
        m_all.pop_back();
    }

  private:
    std::vector<const tlm::tlm_generic_payload*> m_all;
};

/// Returns a transaction as text for messages: "write of 8 bytes at 0x100".
std::string text_of(const tlm::tlm_generic_payload& p);
/// Returns the error text for a phase that its sender may not call now: "END_RESP of a write of 8 bytes at
/// 0x100, which does not come next in " and the protocol's name.
std::string out_of_turn(const tlm::tlm_phase& phase, const tlm::tlm_generic_payload& p,
                        const std::string& protocol);
/// Returns the error text for a payload that begins again before its end.
std::string text_of_open(const tlm::tlm_generic_payload& p);
/// Length in bytes that a memory sees which has `bytes` bytes from the access's address on: `p`'s length, cut
/// to `bytes`. Data beyond are not enabled, and the memory need not have them.
unsigned length_in(std::uint64_t bytes, const tlm::tlm_generic_payload& p);
/// Number of bytes from its address on that an access touches: to the last enabled one of a streaming width.
std::uint64_t extent_of(const tlm::tlm_generic_payload& p);
/// Returns the status for a wrong length, width or pointer of `p`; TLM_OK_RESPONSE: none is wrong.
tlm::tlm_response_status check_attributes(const tlm::tlm_generic_payload& p);
/// True if one of two accesses must wait for the other's end: they overlap, one writes, and they are of one
/// initiator and ID, or one is exclusive or atomic; or the network keeps the order of both.
bool depend(const memory_access& a, const memory_access& b);

/// The accesses of a map, used again once nobody holds them: a memory may have acquired one.
class access_pool final : public tlm::tlm_mm_interface {
  public:
    memory_access& take();
    memory_access& operator[](std::uint32_t slot) { return m_all[slot]; }

  private:
    void free(tlm::tlm_generic_payload* p) override;

    std::deque<memory_access> m_all;
    std::vector<std::uint32_t> m_free;
};

}  // namespace sare
