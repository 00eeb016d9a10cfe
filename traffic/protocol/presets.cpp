// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/yaml.h"
#include "traffic/protocol/declaration.h"

namespace sare::traffic {
namespace {

/// The directory protocol of Nagarajan, Sorin, Hill and Wood, "A Primer on Memory Consistency and Cache
/// Coherence" (2020), chapter 8, with its three classes.
constexpr const char* mesi_directory = R"(
messages: {get_s: 0, get_m: 0, put_m: {class: 0, length: 5}, fwd: 1, inv: 1, put_ack: 1, inv_ack: 2,
           data: {class: 2, length: 5}, copy_back: {class: 2, length: 5}}
transactions:
  read: {weight: 50, steps: [get_s home, data requester]}
  read_owned: {weight: 15, steps: [get_s home, fwd owner, data requester, copy_back home on fwd]}
  write: {weight: 15, steps: [get_m home, data requester]}
  write_shared: {weight: 10, steps: [get_m home, data requester, inv sharers on get_m, inv_ack requester]}
  write_owned: {weight: 5, steps: [get_m home, fwd owner, data requester]}
  write_back: {weight: 5, steps: [put_m home, put_ack requester]}
)";

/// The channels REQ, SNP, RSP and DAT of AMBA CHI (ARM IHI 0050) with direct transfers from memory and owner,
/// and a class of its own for requests to memory, in the place of CHI's retries.
constexpr const char* chi_like = R"(
messages: {read: 0, write: 0, read_no_snp: 1, snp: 2, snp_resp: 3, comp_ack: 3, comp_dbid: 3,
           comp_data: {class: 4, length: 5}, wb_data: {class: 4, length: 5}}
transactions:
  read_memory: {weight: 50, steps: [read home, read_no_snp memory, comp_data requester, comp_ack home]}
  read_owned: {weight: 25, steps: [read home, snp owner, comp_data requester, snp_resp home on snp,
                                   comp_ack home on comp_data]}
  read_unique: {weight: 15, steps: [read home, snp sharers, snp_resp home,
                                    comp_data requester on read snp_resp, comp_ack home]}
  write_back: {weight: 10, steps: [write home, comp_dbid requester, wb_data home]}
)";

}  // namespace

config::value section_of(preset p) {
    if (p == preset::none) return {};
    return config::parse_yaml(p == preset::chi_like ? chi_like : mesi_directory, "preset");
}

}  // namespace sare::traffic
