// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// Switch allocator: one VC an input port, one input port an output port, grants and crossbar settings are the
/// same thing, nothing without a request. A grant if there is any request; a request alone at both its ports gets it.
module switch_allocator #(
  parameter int unsigned Ports = 3,
  parameter int unsigned Vcs = 2,
  parameter int unsigned Allocator = sare_pkg::InputFirst,
  parameter int unsigned Arbiter = sare_pkg::RoundRobin
) (
  input logic                       clk_i,
  input logic                       rst_ni,
  input logic [Ports*Vcs-1:0]       req_i,
  input logic [Ports*Vcs*Ports-1:0] port_i
);

  logic [Ports*Vcs-1:0]   gnt, pick;
  logic [Ports-1:0]       in, out;
  logic [Ports*Ports-1:0] sel;

  sare_switch_allocator #(.Ports(Ports), .Vcs(Vcs), .Allocator(Allocator), .Arbiter(Arbiter)) u_dut (
    .clk_i, .rst_ni, .req_i, .port_i, .gnt_o(gnt), .pick_o(pick), .in_o(in), .out_o(out), .sel_o(sel)
  );

  `SARE_RESET_FIRST
  `SARE_ASSERT(only_requests, (gnt & ~req_i) == '0)
  `SARE_ASSERT(one_if_any, (gnt != '0) == (req_i != '0))
  `SARE_COVER(all_ports_at_once, &used)

  logic [Ports-1:0] used;
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [Ports-1:0] row;  // output ports that input port p is joined to
    for (genvar y = 0; y < Ports; y++) begin : gen_row
      assign row[y] = sel[y*Ports + p];
    end
    assign used[p] = row != '0;
    `SARE_ASSERT(one_vc_a_port, $countones(gnt[p*Vcs +: Vcs]) <= 1)
    `SARE_ASSERT(one_output_an_input, $countones(row) <= 1)
    `SARE_ASSERT(one_input_an_output, $countones(sel[p*Ports +: Ports]) <= 1)
    `SARE_ASSERT(grant_is_the_pick, gnt[p*Vcs +: Vcs] == (in[p] ? pick[p*Vcs +: Vcs] : '0))
    `SARE_ASSERT(ports_of_grants, in[p] == used[p] && out[p] == (sel[p*Ports +: Ports] != '0))
    `SARE_ASSERT(joined_for_a_grant, used[p] == (gnt[p*Vcs +: Vcs] != '0))
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      `SARE_ASSUME(one_port, $countones(port_i[(p*Vcs+v)*Ports +: Ports]) == 1)
      `SARE_ASSERT(joined_as_asked, !gnt[p*Vcs+v] || row == port_i[(p*Vcs+v)*Ports +: Ports])
    end
  end

  // Any request; others at its input port or for its output port.
  (* anyconst *) logic [7:0] one;
  logic rival;
  always_comb begin
    rival = 1'b0;
    for (int i = 0; i < Ports * Vcs; i++) begin
      if (i != one && req_i[i] &&
          (i / Vcs == one / Vcs || port_i[i*Ports +: Ports] == port_i[one*Ports +: Ports])) rival = 1'b1;
    end
  end
  `SARE_ASSERT(alone_wins, one >= Ports * Vcs || !req_i[one] || rival || gnt[one])

endmodule
