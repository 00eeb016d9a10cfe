// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/chi.h"

#include <chi/chi_tlm.h>

/// Functions that copy fields between Sare's CHI flits and the extensions of open-source interface libraries
/// (namespace ::chi of tlm2-interfaces and SystemC-Components). Opcodes have the numbers of the CHI
/// specification in both. Phases are up to the caller: theirs belong to a transaction (BEGIN_REQ, BEGIN_DATA,
/// ACK), Sare's to a flit.
namespace sare::adapters {

/// Copies the fields that all extensions of the library have, from or to a flit of Sare: transaction, source
/// and QoS.
template <class Extension>
void common_fields(const chi::flit& from, Extension& to) {
    to.set_txn_id(from.txn);
    to.set_src_id(from.source);
    to.set_qos(from.qos);
}
template <class Extension>
void common_fields(const Extension& from, chi::flit& to) {
    to.txn = static_cast<std::uint16_t>(from.get_txn_id());
    to.source = from.get_src_id();
    to.qos = static_cast<std::uint8_t>(from.get_qos());
}

/// @name Copies for flits of the channels REQ, whose address is in the payload, and RSP
inline void copy_fields(const chi::flit& from, ::chi::chi_ctrl_extension& to) {
    common_fields(from, to);
    if (from.on == chi::channel::req) {
        to.req.set_opcode(static_cast<::chi::req_optype_e>(from.opcode));
        to.req.set_tgt_id(static_cast<std::uint8_t>(from.target));
        to.req.set_size(from.size);
        to.req.set_pcrd_type(from.pcrd_type);
        to.req.set_allow_retry(from.allow_retry);
        to.req.set_exp_comp_ack(from.exp_comp_ack);
    } else {
        to.resp.set_opcode(static_cast<::chi::rsp_optype_e>(from.opcode));
        to.resp.set_tgt_id(static_cast<std::uint16_t>(from.target));
        to.resp.set_db_id(static_cast<std::uint8_t>(from.db));
        to.resp.set_resp(static_cast<::chi::rsp_resptype_e>(from.resp));
        to.resp.set_resp_err(from.error ? 2 : 0);  // DERR
        to.resp.set_pcrd_type(from.pcrd_type);
    }
}
inline void copy_fields(const ::chi::chi_ctrl_extension& from, chi::channel on, chi::flit& to) {
    common_fields(from, to);
    to.on = on;
    if (on == chi::channel::req) {
        to.opcode = static_cast<std::uint8_t>(from.req.get_opcode());
        to.target = from.req.get_tgt_id();
        to.size = from.req.get_size();
        to.pcrd_type = from.req.get_pcrd_type();
        to.allow_retry = from.req.is_allow_retry();
        to.exp_comp_ack = from.req.is_exp_comp_ack();
    } else {
        to.opcode = static_cast<std::uint8_t>(from.resp.get_opcode());
        to.target = from.resp.get_tgt_id();
        to.db = from.resp.get_db_id();
        to.resp = static_cast<std::uint8_t>(from.resp.get_resp());
        to.error = from.resp.get_resp_err() >= 2;
        to.pcrd_type = from.resp.get_pcrd_type();
    }
}
/// @}

/// @name Copies for flits of the channel DAT, whose data and byte enables are in the payload, at the place
/// that DataID says
inline void copy_fields(const chi::flit& from, ::chi::chi_data_extension& to) {
    common_fields(from, to);
    to.dat.set_opcode(static_cast<::chi::dat_optype_e>(from.opcode));
    to.dat.set_tgt_id(static_cast<std::uint16_t>(from.target));
    to.dat.set_db_id(static_cast<std::uint8_t>(from.db));
    to.dat.set_home_n_id(static_cast<std::uint16_t>(from.home));
    to.dat.set_resp(static_cast<::chi::dat_resptype_e>(from.resp));
    to.dat.set_resp_err(from.error ? 2 : 0);
    to.dat.set_data_id(from.data_id);
}
inline void copy_fields(const ::chi::chi_data_extension& from, chi::flit& to) {
    common_fields(from, to);
    to.on = chi::channel::dat;
    to.opcode = static_cast<std::uint8_t>(from.dat.get_opcode());
    to.target = from.dat.get_tgt_id();
    to.db = from.dat.get_db_id();
    to.home = from.dat.get_home_n_id();
    to.resp = static_cast<std::uint8_t>(from.dat.get_resp());
    to.error = from.dat.get_resp_err() >= 2;
    to.data_id = from.dat.get_data_id();
}
/// @}

/// @name Copies for flits of the channel SNP, whose address is in the payload; the socket says which node is
/// snooped
inline void copy_fields(const chi::flit& from, ::chi::chi_snp_extension& to) {
    common_fields(from, to);
    to.req.set_opcode(static_cast<::chi::snp_optype_e>(from.opcode));
}
inline void copy_fields(const ::chi::chi_snp_extension& from, chi::flit& to) {
    common_fields(from, to);
    to.on = chi::channel::snp;
    to.opcode = static_cast<std::uint8_t>(from.req.get_opcode());
}
/// @}

/// Returns the type of a link credit for a channel, as the receiver of flits gives it: REQ also for snoops.
inline ::chi::credit_type_e credit_of(chi::channel on) {
    switch (on) {
        case chi::channel::rsp:
            return ::chi::credit_type_e::RESP;
        case chi::channel::dat:
            return ::chi::credit_type_e::DATA;
        default:
            return ::chi::credit_type_e::REQ;  // of requests one way, of snoops the other
    }
}

}  // namespace sare::adapters
