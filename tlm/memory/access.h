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

/// A packet of a message of an access.
struct access_packet {
    /// Number of the packet in the order of injection, from 0, among all packets of the network since
    /// packet_follower::start().
    std::uint64_t number = 0;
    bool response = false;  ///< true: packet of the response; false: of the request
    std::uint32_t source = 0, destination = 0, flits = 0;  ///< source node; destination node; length in flits
    /// Times of the cycles in which the packet was injected and consumed; equal until it is consumed.
    sc_core::sc_time injected, consumed;
    /// Address of the packet object while the packet is in the network; afterwards without meaning.
    const void* slot = nullptr;
};

/// An access on its way through the network: a copy of the initiator's transaction, with data of its own, so
/// that it outlives the initiator's call. The memory is called with the initiator's original or with this
/// copy, as show() decides.
struct memory_access final : tlm::tlm_generic_payload {
    /// Makes an unused object. `s`: number of this object in its pool; `manager`: the pool.
    memory_access(std::uint32_t s, tlm::tlm_mm_interface& manager)
        : tlm::tlm_generic_payload(&manager), slot(s) {}

    /// Makes this a copy of `of`, which becomes `original`, with the address and length that the memory at
    /// `at` sees; without a range in `at` they stay as they are.
    void copy(tlm::tlm_generic_payload& of, const placement& at);
    /// Makes the copy ask for the default message classes, as the memory may forward it into a network with
    /// other classes.
    void drop_classes();
    /// Returns the transaction that the memory is to be called with. That is the original, set to the
    /// memory's address, if a memory manager keeps it or it carries extensions that are not Sare's, on which
    /// the memory may work (a packet of another simulator). It is this copy in all other cases, and always
    /// for a part of a split access, an atomic access, and one whose process is gone.
    tlm::tlm_generic_payload& show();
    /// Returns the transaction that the memory has been called with: the original or this copy.
    const tlm::tlm_generic_payload& shown() const { return const_cast<memory_access*>(this)->shown(); }
    tlm::tlm_generic_payload& shown() {
        return m_shown.payload != nullptr ? *m_shown.payload : static_cast<tlm::tlm_generic_payload&>(*this);
    }
    /// Undoes show() when the memory has done the access: the original has its own address and length again,
    /// and this copy gets the status of the response. Does nothing if the memory was called with this copy.
    void take_back();
    /// Notes that the original is gone, as its process was killed.
    void leave_original();
    /// Copies status, extensions, times and the data read into the original. If the original has become
    /// longer than its copy, it gets the status TLM_GENERIC_ERROR_RESPONSE and no data.
    void bring_back();
    /// True if the initiator has made its transaction longer while it was under way, which is an error.
    bool has_outgrown_its_copy() const {
        return !m_data.empty() && original->get_data_length() > m_data.size();
    }
    /// Returns the initiator's transaction: `original`, which must not be null, or for a part of a split
    /// access the whole access.
    tlm::tlm_generic_payload& whole() const;
    /// Resets the object, so that it can be used for another access.
    void forget();
    /// True if the access writes; an atomic access always does, also while atomic_steps has made it a read.
    bool writes() const { return atomic || is_write(); }

    const std::uint32_t slot;  ///< number of this object in its access_pool
    /// Transaction of the initiator; null: the process that waited for it is gone.
    tlm::tlm_generic_payload* original = nullptr;
    initiator_port* from = nullptr;  ///< initiator that has made the access
    memory_port* to = nullptr;       ///< memory that it goes to; null: it has none, and is only answered
    access_mode mode = access_mode::exact;  ///< mode in which the access began
    bool probe = false;    ///< true: no access, but messages sent to learn how long they take
    std::uint32_t id = 0;  ///< ID (access_id); accesses of one ID and initiator stay in order
    /// Message class of the request; of the response, or access_options::last.
    std::uint32_t request_class = 0, response_class = access_options::last;
    /// True if the access asks for message classes other than the default ones.
    bool has_classes() const { return request_class != 0 || response_class != access_options::last; }
    bool atomic = false;  ///< true: an atomic access (atomic_access)
    bool alone = false;   ///< true: exclusive or atomic, so that accesses which overlap it wait for its end
    struct {
        accesses_of_id* of_id = nullptr;  ///< accesses of its ID; null before it begins
        std::uint32_t* places = nullptr;  ///< number of its initiator's places in use at its memory
    } kept;                               ///< counts that its initiator keeps
    std::uint64_t number = 0;  ///< number among the accesses of its ID, from 0: the order of responses
    /// Order of requests with its initiator, ID and memory; null before it is sent.
    reorder_buffer<memory_access*>* order = nullptr;
    std::uint64_t request_number = 0;  ///< number among the requests of `order`, from 0
    std::uint64_t tag = 0;             ///< message::tag of its message last sent; 0: lost, or no real message
    bool response = false;             ///< true: its message last sent is the response
    bool over = false;      ///< true: the initiator may have its response, and no message is under way
    bool answered = false;  ///< true: the memory has answered it
    bool end_owed = false;  ///< true: the memory must still get END_RESP by a call
    access_times times;     ///< times of the points that it has passed so far
    std::vector<access_packet> packets;   ///< packets of request and response; empty unless they are noted
    std::shared_ptr<split_access> split;  ///< the access that this is a part of; null: none
    struct {
        /// True: a call of b_transport waits for `event`; false: the access came by phases.
        bool waited_for = false;
        sc_core::sc_event event;  ///< notified when the response may be given
    } done;                       ///< end of the access

  private:
    std::vector<unsigned char> m_data, m_enables;  ///< data and byte enables of this copy
    /// The original, if the memory has been called with it.
    struct {
        tlm::tlm_generic_payload* payload = nullptr;  ///< null: the memory has been called with this copy
        sc_dt::uint64 own_address = 0;                ///< address of `payload` for its initiator
        unsigned own_length = 0;                      ///< data length of `payload` for its initiator
        /// True: the memory was called with the original, which has its data and extensions already.
        bool was = false;
    } m_shown;
};

/// Set of the transactions of an initiator that are under way, usually a few: a payload must not begin again
/// before its end.
class open_payloads {
  public:
    /// True if a payload is under way; compares addresses.
    bool has(const tlm::tlm_generic_payload& p) const {
        return std::find(m_all.begin(), m_all.end(), &p) != m_all.end();
    }
    /// Adds `p`, which is not there yet.
    void add(const tlm::tlm_generic_payload& p) { m_all.push_back(&p); }
    /// Removes a payload by its address, without reading it; does nothing if that payload is not there.
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
/// Returns the error text for a phase out of turn: "END_RESP of a write of 8 bytes at 0x100, which does not
/// come next in ", followed by `protocol`.
std::string out_of_turn(const tlm::tlm_phase& phase, const tlm::tlm_generic_payload& p,
                        const std::string& protocol);
/// Returns the error text for a payload that begins again before its end.
std::string text_of_open(const tlm::tlm_generic_payload& p);
/// Returns the data length with which a memory is called that has `bytes` bytes from the address of `p` on:
/// the length of `p`, or `bytes` if that is less. Bytes beyond are not enabled, so that the memory need not
/// have them. A streaming or atomic access keeps its length.
unsigned length_in(std::uint64_t bytes, const tlm::tlm_generic_payload& p);
/// Returns the number of bytes that an access touches, from its address on: up to the last enabled byte
/// within the streaming width, or the bytes of the value of an atomic access. 0 if no byte is enabled.
std::uint64_t extent_of(const tlm::tlm_generic_payload& p);
/// Returns the error status for a wrong length, streaming width, data pointer or byte enables of `p`;
/// TLM_OK_RESPONSE if none is wrong, or for the command TLM_IGNORE_COMMAND.
tlm::tlm_response_status check_attributes(const tlm::tlm_generic_payload& p);
/// True if one of two accesses at a memory must wait for the end of the other. They must if their bytes
/// overlap, one of them writes, and either they are of one initiator and ID or one is exclusive or atomic.
/// Accesses of one initiator and ID also must if the network keeps their order.
bool depend(const memory_access& a, const memory_access& b);

/// Pool of the access objects of a map. An object is free again when its last holder has released it; a
/// memory may have acquired it, too.
class access_pool final : public tlm::tlm_mm_interface {
  public:
    /// Returns a free object, acquired once for the caller.
    memory_access& take();
    /// Returns object number `slot`, which must exist (not checked).
    memory_access& operator[](std::uint32_t slot) { return m_all[slot]; }

  private:
    void free(tlm::tlm_generic_payload* p) override;

    std::deque<memory_access> m_all;    ///< objects by number
    std::vector<std::uint32_t> m_free;  ///< numbers of free objects
};

}  // namespace sare
