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

/// A packet of an access.
struct access_packet {
    std::uint64_t number = 0;  ///< in order of injection
    bool response = false;     ///< else of the request
    std::uint32_t source = 0, destination = 0, flits = 0;
    sc_core::sc_time injected, consumed;
    const void* slot = nullptr;  ///< while it is in the network
};

/// An access on its way through the network: a copy of the initiator's transaction, with data of its own, so
/// that it outlives the initiator's call. The memory sees the original where show() says so, else this copy.
struct memory_access final : tlm::tlm_generic_payload {
    memory_access(std::uint32_t s, tlm::tlm_mm_interface& manager)
        : tlm::tlm_generic_payload(&manager), slot(s) {}

    /// Becomes a copy of `of`, as the memory sees it where it is.
    void copy(tlm::tlm_generic_payload& of, const placement& at);
    /// Its memory may forward it into another network, whose classes are other ones: see scoped_classes.
    void drop_classes();
    /// Returns the transaction that the memory is to be called with. The original, at the memory's address,
    /// if it is kept by a memory manager or carries extensions that are not Sare's: these may hold what the
    /// memory works on, as a packet of another simulator. Else, and for a part of a split access, an atomic
    /// access and one whose process is gone, this copy.
    tlm::tlm_generic_payload& show();
    /// Transaction that the memory has been called with.
    const tlm::tlm_generic_payload& shown() const {
        return m_shown.payload != nullptr ? *m_shown.payload : *this;
    }
    tlm::tlm_generic_payload& shown() { return m_shown.payload != nullptr ? *m_shown.payload : *this; }
    /// Ends what show() began, when the memory has done the access: the original has its own address again,
    /// and this copy the response.
    void take_back();
    /// The original is gone: its process was killed.
    void leave_original();
    /// The original gets status, extensions and what was read; an error if it has outgrown its copy.
    void bring_back();
    /// Its initiator has made it longer meanwhile, which it may not.
    bool has_outgrown_its_copy() const {
        return !m_data.empty() && original->get_data_length() > m_data.size();
    }
    /// What the initiator knows: the original, or what that is a part of.
    tlm::tlm_generic_payload& whole() const;
    void forget();
    /// It changes memory, also while a bridge has made a read of it: see atomic_steps.
    bool writes() const { return atomic || is_write(); }

    const std::uint32_t slot;
    tlm::tlm_generic_payload* original = nullptr;  ///< null: its process is gone
    initiator_port* from = nullptr;
    memory_port* to = nullptr;
    access_mode mode = access_mode::exact;  ///< to its end
    bool probe = false;                     ///< messages only, to see how long they take
    std::uint32_t id = 0;
    std::uint32_t request_class = 0, response_class = access_options::last;  ///< of its messages
    /// Other ones than those of most.
    bool has_classes() const { return request_class != 0 || response_class != access_options::last; }
    bool atomic = false;
    bool alone = false;  ///< exclusive or atomic: what overlaps it waits for its end
    struct {
        accesses_of_id* of_id = nullptr;
        std::uint32_t* places = nullptr;              ///< taken at its memory
    } kept;                                           ///< what its initiator keeps of accesses like it
    std::uint64_t number = 0;                         ///< among those of its ID: for responses
    reorder_buffer<memory_access*>* order = nullptr;  ///< of requests of its initiator and ID to its memory
    std::uint64_t request_number = 0;                 ///< there
    std::uint64_t tag = 0;                            ///< of its message that is on its way
    bool response = false;                            ///< which is one
    bool over = false;                                ///< the initiator may have its response
    bool answered = false;                            ///< by the memory
    bool end_owed = false;                            ///< the memory gets END_RESP by a call of its own
    access_times times;
    std::vector<access_packet> packets;   ///< while they are noted
    std::shared_ptr<split_access> split;  ///< of which it is a part
    struct {
        bool waited_for = false;  ///< by a call of b_transport; else it came by phases
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

/// The transactions of an initiator that are under way. One of them may not begin again before its end, for
/// what it says is not the initiator's to change until then. A few at a time.
class open_payloads {
  public:
    bool has(const tlm::tlm_generic_payload& p) const {
        return std::find(m_all.begin(), m_all.end(), &p) != m_all.end();
    }
    void add(const tlm::tlm_generic_payload& p) { m_all.push_back(&p); }
    /// It may be gone itself; nothing for one that is not there.
    void remove(const tlm::tlm_generic_payload* p) {
        const auto found = std::find(m_all.begin(), m_all.end(), p);
        if (found == m_all.end()) return;
        *found = m_all.back();
        m_all.pop_back();
    }

  private:
    std::vector<const tlm::tlm_generic_payload*> m_all;
};

/// What it is, for messages: "write of 8 bytes at 0x100".
std::string text_of(const tlm::tlm_generic_payload& p);
/// What is wrong with a phase that its sender may not call now: "END_RESP of a write of 8 bytes at 0x100,
/// which does not come next in " and the protocol's name.
std::string out_of_turn(const tlm::tlm_phase& phase, const tlm::tlm_generic_payload& p,
                        const std::string& protocol);
/// That it begins again before its end, likewise.
std::string text_of_open(const tlm::tlm_generic_payload& p);
/// Its data's length as the memory sees it of which it has so many bytes: those behind are not enabled, and
/// the memory need not have them.
unsigned length_in(std::uint64_t bytes, const tlm::tlm_generic_payload& p);
/// Bytes from its address on that an access touches: by streaming width and byte enables, up to the last one.
std::uint64_t extent_of(const tlm::tlm_generic_payload& p);
/// What is wrong with its attributes; TLM_OK_RESPONSE: nothing.
tlm::tlm_response_status check_attributes(const tlm::tlm_generic_payload& p);
/// One may begin when the other one has ended: they overlap and are of one initiator and ID, or one of them
/// is exclusive or atomic; or the network keeps their order.
bool depend(const memory_access& a, const memory_access& b);

/// The accesses there are. A memory that has acquired one may hold it beyond its end.
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
