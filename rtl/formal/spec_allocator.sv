// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// Switch allocation with speculation: still one VC an input port and one input port an output port; speculative
/// grants only where the VC was got, and only at ports that no plain grant uses; a plain request never loses by
/// them: the plain grants are what the plain allocator says.
module spec_allocator #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 2,
  parameter int unsigned Allocator = sare_pkg::InputFirst,
  parameter int unsigned Arbiter = sare_pkg::RoundRobin,
  parameter bit Speculative = 1
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [Ports*Vcs-1:0]       req_i,
  input logic [Ports*Vcs-1:0]       spec_req_i,
  input logic [Ports*Vcs-1:0]       spec_ok_i,
  input logic [Ports*Vcs*Ports-1:0] port_i,
  input logic [Ports*Vcs*Ports-1:0] spec_port_i
);

  logic [Ports*Vcs-1:0]   gnt, pick;
  logic [Ports*Ports-1:0] sel;

  sare_spec_allocator #(
    .Ports(Ports), .Vcs(Vcs), .Allocator(Allocator), .Arbiter(Arbiter), .Speculative(Speculative)
  ) u_dut (
    .clk_i, .rst_ni, .req_i, .spec_req_i, .spec_ok_i, .port_i, .spec_port_i, .gnt_o(gnt),
    .pick_o(pick), .sel_o(sel)
  );

  `SARE_PEEK [Ports*Vcs-1:0] \u_dut.plain_gnt ;
  `SARE_PEEK [Ports*Ports-1:0] \u_dut.plain_sel ;
  logic [Ports*Vcs-1:0]   plain_gnt, extra;
  logic [Ports*Ports-1:0] plain_sel;

  assign plain_gnt = \u_dut.plain_gnt ;
  assign plain_sel = \u_dut.plain_sel ;
  assign extra     = gnt & ~plain_gnt;

  `SARE_RESET_FIRST
  // A head that still bids for a VC does not bid with one that it has.
  `SARE_ASSUME(plain_or_speculative, (req_i & spec_req_i) == '0)

  `SARE_ASSERT(only_requests, (gnt & ~(req_i | (Speculative ? spec_req_i & spec_ok_i : '0))) == '0)
  `SARE_ASSERT(plain_grants_stay, (gnt & req_i) == plain_gnt && (sel & plain_sel) == plain_sel)
  `SARE_ASSERT(one_if_any, req_i == '0 || gnt != '0)
  `SARE_COVER(both_kinds, plain_gnt != '0 && (extra != '0 || !Speculative))

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [Ports-1:0] row;  // output ports that input port p is joined to
    for (genvar y = 0; y < Ports; y++) begin : gen_row
      assign row[y] = sel[y*Ports + p];
    end
    `SARE_ASSERT(one_vc_a_port, $countones(gnt[p*Vcs +: Vcs]) <= 1)
    `SARE_ASSERT(one_output_an_input, $countones(row) <= 1)
    `SARE_ASSERT(one_input_an_output, $countones(sel[p*Ports +: Ports]) <= 1)
    `SARE_ASSERT(joined_for_a_grant, (row != '0) == (gnt[p*Vcs +: Vcs] != '0))
    `SARE_ASSERT(grant_is_the_pick, gnt[p*Vcs +: Vcs] == '0 || gnt[p*Vcs +: Vcs] == pick[p*Vcs +: Vcs])
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      `SARE_ASSUME(one_port, $countones(port_i[(p*Vcs+v)*Ports +: Ports]) == 1)
      `SARE_ASSUME(one_spec_port, $countones(spec_port_i[(p*Vcs+v)*Ports +: Ports]) == 1)
      `SARE_ASSERT(joined_as_asked, !gnt[p*Vcs+v] || row == (req_i[p*Vcs+v] ? port_i[(p*Vcs+v)*Ports +: Ports]
                                                                           : spec_port_i[(p*Vcs+v)*Ports +: Ports]))
    end
  end

endmodule
