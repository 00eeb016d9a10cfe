// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// VC allocator: one output VC an input VC and the other way round, only what was asked for, and what is given is
/// marked as taken. A grant if there is any request; a request for one VC that has no other gets it.
module vc_allocator #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 2,
  parameter int unsigned Allocator = sare_pkg::InputFirst,
  parameter int unsigned Arbiter = sare_pkg::RoundRobin,
  localparam int unsigned Rows = Ports * Vcs
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [Rows*Vcs-1:0]   req_i,
  input logic [Rows*Ports-1:0] port_i
);

  logic [Rows*Vcs-1:0] gnt;
  logic [Rows-1:0]     taken;

  sare_vc_allocator #(.Ports(Ports), .Vcs(Vcs), .Allocator(Allocator), .Arbiter(Arbiter)) u_dut (
    .clk_i, .rst_ni, .req_i, .port_i, .gnt_o(gnt), .taken_o(taken)
  );

  `SARE_RESET_FIRST
  `SARE_ASSERT(only_requests, (gnt & ~req_i) == '0)
  `SARE_ASSERT(one_if_any, (gnt != '0) == (req_i != '0))
  `SARE_COVER(all_taken, taken == '1)

  for (genvar i = 0; i < Rows; i++) begin : gen_row
    `SARE_ASSUME(one_port, $countones(port_i[i*Ports +: Ports]) == 1)
    `SARE_ASSERT(one_vc_each, $countones(gnt[i*Vcs +: Vcs]) <= 1)
  end
  for (genvar o = 0; o < Rows; o++) begin : gen_column
    logic [Rows-1:0] asks, gets;  // input VCs that ask for output VC o; that get it
    for (genvar i = 0; i < Rows; i++) begin : gen_row
      assign asks[i] = req_i[i*Vcs + o%Vcs] & port_i[i*Ports + o/Vcs];
      assign gets[i] = gnt[i*Vcs + o%Vcs] & port_i[i*Ports + o/Vcs];
      `SARE_ASSERT(alone_wins, !(asks == (Rows)'(1) << i && $countones(req_i[i*Vcs +: Vcs]) == 1) || gets[i])
    end
    `SARE_ASSERT(one_owner_each, $countones(gets) <= 1)
    `SARE_ASSERT(taken_if_given, taken[o] == (gets != '0))
  end

endmodule
