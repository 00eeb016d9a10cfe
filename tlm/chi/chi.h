// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/timing/access_side.h"
#include "tlm/memory/timing/access_timing.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <tlm>

/// CHI over TLM-2.0: the payload is a flit of one of four channels, with link credits. Fields and opcodes are
/// those of the specification, as in the field's open interfaces (docs/amba.md).
namespace sare::chi {

/// Channels: requests (REQ), responses (RSP), data (DAT), snoops (SNP).
enum class channel : std::uint8_t { req, rsp, dat, snp };
inline constexpr std::uint32_t channels = 4;  ///< number of channels
/// Names of the channels, by number_of().
inline constexpr std::array<const char*, channels> channel_names{"REQ", "RSP", "DAT", "SNP"};
inline constexpr std::uint32_t line_bytes = 64;  ///< bytes of a cache line
/// Returns the index of a channel for arrays; throws std::out_of_range for an unknown channel.
std::size_t number_of(channel c);

/// @name Opcodes of each channel, by their names in the specification, with its encodings
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
    atomic_store = 0x28,  ///< first of 8 opcodes, one for each operation of AtomicLoad, in the same order
    atomic_load = 0x30,   ///< first of 8 opcodes, one for each operation
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

/// @name Values of Resp: invalid, shared clean, unique clean; and a bit to add: the duty to write back is
/// passed
/// @{
inline constexpr std::uint8_t resp_i = 0, resp_sc = 1, resp_uc = 2, resp_pass_dirty = 4;
/// @}

/// A flit of a channel. Nodes are given by their numbers in the network.
struct flit {
    channel on = channel::req;   ///< channel
    std::uint8_t opcode = 0;     ///< opcode: value of an enumerator of req, rsp, dat or snp, by the channel
    std::uint8_t qos = 0;        ///< QoS of the request, 0 to 15, and of all flits that follow from it
    std::uint8_t resp = 0;       ///< Resp: state of the line, see resp_i and the others
    std::uint8_t pcrd_type = 0;  ///< PCrdType: always 0
    std::uint8_t size = 6;       ///< Size: log2 of the bytes of the access
    bool allow_retry = true;     ///< AllowRetry: the request may be refused
    bool exp_comp_ack = false;   ///< ExpCompAck: the requester acknowledges the completion
    bool snoop_me = false;       ///< SnoopMe, only in atomics: the requester has the line
    bool big_endian = false;     ///< Endian, only in atomics: the operand is big-endian
    std::uint16_t txn = 0;       ///< TxnID: number of the transaction at its requester
    std::uint16_t db = 0;        ///< DBID: number of the transaction at the node that answers
    std::uint32_t source = 0;    ///< SrcID: node that sends it; the interface sets it
    std::uint32_t target = 0;    ///< TgtID: node that it is for
    std::uint32_t home = 0;      ///< HomeNID, only in CompData: node that CompAck goes to
    /// Address of a line, or of the bytes of a line that a write or an atomic is about.
    std::uint64_t address = 0;
    std::uint8_t data_id = 0;   ///< DataID: index of the packet's first byte in the line, divided by 16
    bool error = false;         ///< RespErr; true: another value than OKAY
    std::uint64_t enables = 0;  ///< BE: bit k for byte k of the line
    std::array<unsigned char, line_bytes> data{};  ///< bytes of the packet, at their places in the line
    access_times* times = nullptr;  ///< not in CHI: request and answers note their times here; null: do not

    template <class Opcode>
    /// True if the flit has the channel and the opcode of `o`.
    bool is(Opcode o) const {
        return on == channel_of(o) && opcode == static_cast<std::uint8_t>(o);
    }
    /// Return the channel of an opcode.
    static constexpr channel channel_of(chi::req) { return channel::req; }
    static constexpr channel channel_of(chi::rsp) { return channel::rsp; }
    static constexpr channel channel_of(chi::dat) { return channel::dat; }
    static constexpr channel channel_of(chi::snp) { return channel::snp; }
    template <class Opcode>
    /// Returns a flit with an opcode, target, TxnID and QoS; its other fields have their defaults.
    static flit make(Opcode o, std::uint32_t target, std::uint16_t txn, std::uint8_t qos = 0) {
        flit f;
        f.on = channel_of(o);
        f.opcode = static_cast<std::uint8_t>(o);
        f.target = target;
        f.txn = txn;
        f.qos = qos;
        return f;
    }
    /// Returns an answer to the sender of `to`, with the TxnID and QoS of `to`.
    template <class Opcode>
    static flit answer(Opcode o, const flit& to) {
        return make(o, to.source, to.txn, to.qos);
    }
};

/// @name Kinds of requests
/// @{
/// True for AtomicStore, AtomicLoad, AtomicSwap and AtomicCompare.
inline bool is_atomic(const flit& f) {
    return f.on == channel::req && f.opcode >= static_cast<std::uint8_t>(req::atomic_store) &&
           f.opcode <= static_cast<std::uint8_t>(req::atomic_compare);
}
/// True for all atomics but AtomicStore: the answer has data.
inline bool fetches(const flit& f) {
    return is_atomic(f) && f.opcode >= static_cast<std::uint8_t>(req::atomic_load);
}
/// True for ReadShared, ReadUnique and ReadNoSnp.
inline bool is_read(const flit& f) {
    return f.is(req::read_shared) || f.is(req::read_unique) || f.is(req::read_no_snp);
}
/// True for the writes that memory nodes take: WriteNoSnpFull and WriteNoSnpPtl.
inline bool writes_memory(const flit& f) {
    return f.is(req::write_no_snp_full) || f.is(req::write_no_snp_ptl);
}
/// True for WriteBackFull, WriteNoSnpFull and WriteNoSnpPtl.
inline bool is_write(const flit& f) {
    return f.is(req::write_back_full) || writes_memory(f);
}
/// @}

/// Returns the address of the cache line that holds `address`.
inline std::uint64_t line_of(std::uint64_t address) {
    return address & ~std::uint64_t{line_bytes - 1};
}

/// Phases of calls. flit: the call hands over its flit argument; credit: it gives back a link credit of the
/// channel `on` of its flit argument. The delay must be 0, and the answer is TLM_ACCEPTED. Forward calls come
/// from the node, backward calls go to it.
enum class phase { flit, credit };
/// Protocol type of the sockets.
struct protocol {
    using tlm_payload_type = flit;
    using tlm_phase_type = phase;
};
/// Bytes of one line that a debugger or loader reads or writes without time.
struct debug_access {
    bool write = false;              ///< true: `bytes` are written; false: they are filled
    std::uint64_t address = 0;       ///< address of the first byte
    unsigned char* bytes = nullptr;  ///< the bytes, owned by the caller
    std::uint32_t length = 0;        ///< number of bytes, all in one line
};
/// Calls from a CHI node to its interface.
class forward_if : public virtual tlm::tlm_fw_nonblocking_transport_if<flit, phase> {
  public:
    using protocol_types = protocol;
    /// Does a debug access at node `target`. Returns false, as the default does, if that node cannot do it.
    virtual bool debug(std::uint32_t target, const debug_access& a) { return (void)target, (void)a, false; }
    /// Adds the node's counts of accesses to the network's report; the default does nothing.
    virtual void join(std::shared_ptr<access_side> accesses) { (void)accesses; }
};
/// Calls from an interface to its CHI node.
class backward_if : public virtual tlm::tlm_bw_nonblocking_transport_if<flit, phase> {
  public:
    using protocol_types = protocol;
    /// Does a debug access at this node. Returns false, as the default does, if the node has not the line, or
    /// the line has a transaction at its home.
    virtual bool debug(const debug_access& a) { return (void)a, false; }
};
using node_socket = tlm::tlm_base_initiator_socket<512, forward_if, backward_if>;  ///< socket of a CHI node
/// Socket of an interface.
using interface_socket = tlm::tlm_base_target_socket<512, forward_if, backward_if>;

/// Returns the reason, on one line, why DAT flits cannot have `bytes` bytes of data; "" if they can (16, 32,
/// 64).
std::string wrong_with_bus(std::uint32_t bytes);

/// A cache line that arrives in several DAT flits.
class line_buffer {
  public:
    /// Adds a packet of `bus_bytes` bytes. Returns true if the line is then complete, by the number of
    /// packets: a packet that comes twice is not noticed. Throws std::out_of_range for a packet that is not
    /// within a line.
    bool add(const flit& f, std::uint32_t bus_bytes);
    /// Returns the bytes of the line so far; bytes that have not come are 0.
    const std::array<unsigned char, line_bytes>& data() const { return m_data; }
    /// Returns the byte enables of the line so far, bit k for byte k.
    std::uint64_t enables() const { return m_enables; }

  private:
    std::array<unsigned char, line_bytes> m_data{};  ///< see data()
    std::uint64_t m_enables = 0;                     ///< see enables()
    std::uint32_t m_come = 0;                        ///< number of packets so far
};

}  // namespace sare::chi
