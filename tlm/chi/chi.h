// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/timing/access_side.h"
#include "tlm/memory/timing/access_timing.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <tlm>

/// CHI over TLM-2.0: the payload is a flit of one of the four channels, and there are link credits. Fields
/// and opcodes are those of the specification, as in the field's open interfaces (docs/amba.md).
namespace sare::chi {

/// Channels: requests, responses, data, snoops.
enum class channel : std::uint8_t { req, rsp, dat, snp };
inline constexpr std::uint32_t channels = 4;  ///< number of channels
inline constexpr std::array<const char*, channels> channel_names{"REQ", "RSP", "DAT", "SNP"};
inline constexpr std::uint32_t line_bytes = 64;  ///< bytes of a cache line
/// Returns the index of a channel for arrays; throws std::out_of_range for an unknown channel.
std::size_t number_of(channel c);

/// @name Opcodes by channel
/// @{
enum class req : std::uint8_t {
    read_shared = 0x01,
    read_no_snp = 0x04,
    pcrd_return = 0x05,
    read_unique = 0x07,
    clean_unique = 0x0b,
    make_unique = 0x0c,
    evict = 0x0d,
    write_back_full = 0x1b,
    write_no_snp_ptl = 0x1c,
    write_no_snp_full = 0x1d,
    atomic_store = 0x28,  ///< 8 opcodes, one for each operation of AtomicLoad
    atomic_load = 0x30,
    atomic_swap = 0x38,
    atomic_compare = 0x39
};
enum class rsp : std::uint8_t {
    snp_resp = 0x1,
    comp_ack = 0x2,
    retry_ack = 0x3,
    comp = 0x4,
    comp_dbid_resp = 0x5,
    dbid_resp = 0x6,
    pcrd_grant = 0x7
};
enum class dat : std::uint8_t {
    snp_resp_data = 0x1,
    copy_back_wr_data = 0x2,
    non_copy_back_wr_data = 0x3,
    comp_data = 0x4
};
enum class snp : std::uint8_t {
    snp_shared = 0x01,
    snp_unique = 0x07,
    snp_clean_invalid = 0x09,
    snp_make_invalid = 0x0a
};
/// @}

/// @name Values of the field Resp: state of a cache line, and whether the duty to write it back goes with the
/// data
/// @{
inline constexpr std::uint8_t resp_i = 0, resp_sc = 1, resp_uc = 2, resp_pass_dirty = 4;
/// @}

/// A flit of a channel. Node numbers are those of the network.
struct flit {
    channel on = channel::req;
    std::uint8_t opcode = 0;     ///< opcode of its channel
    std::uint8_t qos = 0;        ///< QoS of the request, and of all flits that follow from it
    std::uint8_t resp = 0;       ///< Resp
    std::uint8_t pcrd_type = 0;  ///< PCrdType: 0, the only one
    std::uint8_t size = 6;       ///< Size: log2 of bytes
    bool allow_retry = true;     ///< AllowRetry
    bool exp_comp_ack = false;   ///< ExpCompAck
    bool snoop_me = false;       ///< SnoopMe, only of atomics: the requester has the line
    bool big_endian = false;     ///< Endian, only of atomics
    std::uint16_t txn = 0;       ///< TxnID
    std::uint16_t db = 0;        ///< DBID
    std::uint32_t source = 0;    ///< SrcID; the transport sets it
    std::uint32_t target = 0;    ///< TgtID
    std::uint32_t home = 0;      ///< HomeNID, only of CompData
    std::uint64_t address = 0;   ///< address of a line, or of the part that a write has
    std::uint8_t data_id = 0;    ///< DataID: number of the packet's first 16 bytes in the line
    bool error = false;          ///< RespErr: not OKAY
    std::uint64_t enables = 0;   ///< BE, a bit for each byte of the line
    std::array<unsigned char, line_bytes> data{};  ///< bytes of the packet, at their places in the line
    access_times* times = nullptr;  ///< not in CHI: the request and the last answer note their times here

    template <class Opcode>
    bool is(Opcode o) const {
        return on == channel_of(o) && opcode == static_cast<std::uint8_t>(o);
    }
    static constexpr channel channel_of(chi::req) { return channel::req; }
    static constexpr channel channel_of(chi::rsp) { return channel::rsp; }
    static constexpr channel channel_of(chi::dat) { return channel::dat; }
    static constexpr channel channel_of(chi::snp) { return channel::snp; }
    template <class Opcode>
    static flit make(Opcode o, std::uint32_t target, std::uint16_t txn, std::uint8_t qos = 0) {
        flit f;
        f.on = channel_of(o);
        f.opcode = static_cast<std::uint8_t>(o);
        f.target = target;
        f.txn = txn;
        f.qos = qos;
        return f;
    }
    /// Returns an answer to the sender of `to`, for its transaction.
    template <class Opcode>
    static flit answer(Opcode o, const flit& to) {
        return make(o, to.source, to.txn, to.qos);
    }
};

/// @name Kinds of requests: atomics, requests with data in the answer, writes of memory nodes, all writes
/// takes
/// @{
inline bool is_atomic(const flit& f) {
    return f.on == channel::req && f.opcode >= static_cast<std::uint8_t>(req::atomic_store) &&
           f.opcode <= static_cast<std::uint8_t>(req::atomic_compare);
}
/// True for all atomics but AtomicStore.
inline bool fetches(const flit& f) {
    return is_atomic(f) && f.opcode >= static_cast<std::uint8_t>(req::atomic_load);
}
inline bool is_read(const flit& f) {
    return f.is(req::read_shared) || f.is(req::read_unique) || f.is(req::read_no_snp);
}
inline bool writes_memory(const flit& f) {
    return f.is(req::write_no_snp_full) || f.is(req::write_no_snp_ptl);
}
inline bool is_write(const flit& f) {
    return f.is(req::write_back_full) || writes_memory(f);
}
/// @}

inline std::uint64_t line_of(std::uint64_t address) {
    return address & ~std::uint64_t{line_bytes - 1};
}

/// Phases of a call: it hands over a flit, or returns a link credit of the flit's channel `on`. The delay is
/// 0 and the answer TLM_ACCEPTED. Forward calls come from the node, backward calls go to it.
enum class phase { flit, credit };
struct protocol {
    using tlm_payload_type = flit;
    using tlm_phase_type = phase;
};
/// Bytes of one line that a debugger or loader reads or writes without time.
struct debug_access {
    bool write = false;              ///< true: `bytes` are written; false: they are filled
    std::uint64_t address = 0;       ///< address of the first byte
    unsigned char* bytes = nullptr;  ///< the bytes, owned by the caller
    std::uint32_t length = 0;        ///< number of bytes, all of one line
};
/// Calls from a node to its interface.
class forward_if : public virtual tlm::tlm_fw_nonblocking_transport_if<flit, phase> {
  public:
    using protocol_types = protocol;
    /// Does a debug access at node `target`. False: that node has no such line.
    virtual bool debug(std::uint32_t target, const debug_access& a) { return (void)target, (void)a, false; }
    /// Adds the node's counts of accesses to the network's report.
    virtual void join(std::shared_ptr<access_side> accesses) { (void)accesses; }
};
class backward_if : public virtual tlm::tlm_bw_nonblocking_transport_if<flit, phase> {
  public:
    using protocol_types = protocol;
    /// Does a debug access at this node. False: it has no such line.
    virtual bool debug(const debug_access& a) { return (void)a, false; }
};
using node_socket = tlm::tlm_base_initiator_socket<512, forward_if, backward_if>;
using interface_socket = tlm::tlm_base_target_socket<512, forward_if, backward_if>;

/// Returns why DAT flits cannot have `bytes` bytes of data; "" if they can.
std::string wrong_with_bus(std::uint32_t bytes);

/// A line that arrives in packets.
class line_buffer {
  public:
    /// Adds a packet. True: the line is complete. Throws std::out_of_range for a packet of no line.
    bool add(const flit& f, std::uint32_t bus_bytes);
    const std::array<unsigned char, line_bytes>& data() const { return m_data; }
    std::uint64_t enables() const { return m_enables; }

  private:
    std::array<unsigned char, line_bytes> m_data{};
    std::uint64_t m_enables = 0;
    std::uint32_t m_come = 0;  ///< packets so far, a bit each
};

}  // namespace sare::chi
