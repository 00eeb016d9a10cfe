// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// An input virtual channel: its buffer, and how far the packet at the front has come. A head that reaches
/// the front bids for an output VC (after the cycles of RC if there are any); once it has one, every flit at the
/// front bids for the switch while the output VC has the credits that it needs.
module sare_input_vc #(
  /// Ports of the router, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Virtual channels a port, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// Flits in the buffer, 2 to 64.
  parameter int unsigned Depth = 8,
  /// Bits of what goes with a flit and does not matter here, from 1.
  parameter int unsigned PayloadWidth = 64,
  /// sare_pkg::Wormhole (a flit needs one credit) or CutThrough (a head those of its whole packet).
  parameter int unsigned Switching = sare_pkg::Wormhole,
  /// Cycles of RC, 0 to 15.
  parameter int unsigned RcDelay = 1,
  /// Cycles of VA, 0 (a head may bid for the switch in the cycle in which it gets its VC) to 15.
  parameter int unsigned VaDelay = 1,
  /// Cycles of SA, 0 to 15: a flit may bid so long after the one before it in its packet has won, at least one.
  parameter int unsigned SaDelay = 1,
  /// See sare_vc_buffer.
  parameter bit ClockGating = 0,
  localparam int unsigned PortWidth = sare_pkg::idx_width(Ports),
  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Depth),
  localparam int unsigned CountWidth = sare_pkg::count_width(Switching)
) (
  /// Clock.
  input  logic                              clk_i,
  /// Asynchronous reset, active low.
  input  logic                              rst_ni,
  /// A flit comes in,
  input  logic                              push_i,
  /// the first of a packet,
  input  logic                              head_i,
  /// the last of a packet.
  input  logic                              tail_i,
  /// Of a head: output port.
  input  logic [PortWidth-1:0]              route_port_i,
  /// Of a head: VCs of that port that it may have.
  input  logic [Vcs-1:0]                    route_vcs_i,
  /// Of a head: flits of the packet (cut-through).
  input  logic [CountWidth-1:0]             length_i,
  /// The rest of the flit.
  input  logic [PayloadWidth-1:0]           payload_i,
  /// Output VCs that nobody has, by port and VC.
  input  logic [Ports*Vcs-1:0]              free_i,
  /// Credits of output VCs, by port and VC.
  input  logic [Ports*Vcs*CountWidth-1:0]   credits_i,
  /// Output port of the packet at the front, one bit.
  output logic [Ports-1:0]                  port_o,
  /// VCs of that port asked for in VA.
  output logic [Vcs-1:0]                    va_req_o,
  /// The one got, one bit, or none.
  input  logic [Vcs-1:0]                    va_gnt_i,
  /// The front asks for the switch.
  output logic                              sa_req_o,
  /// A head asks for the switch and VA at once.
  output logic                              spec_req_o,
  /// The VC got in this cycle has the credits for it.
  output logic                              spec_ok_o,
  /// VC of the output port, one bit, that the front goes to if it leaves now.
  output logic [Vcs-1:0]                    out_vc_o,
  /// The front leaves.
  input  logic                              pop_i,
  /// The front: first of its packet,
  output logic                              head_o,
  /// last of its packet,
  output logic                              tail_o,
  /// flits of the packet, of a head,
  output logic [CountWidth-1:0]             length_o,
  /// the rest.
  output logic [PayloadWidth-1:0]           payload_o,
  /// Place of the front in the buffer,
  output logic [PlaceWidth-1:0]             read_place_o,
  /// and of what comes in.
  output logic [PlaceWidth-1:0]             write_place_o
);

  typedef struct packed {
    logic                    head;
    logic                    tail;
    logic [PortWidth-1:0]    port;
    logic [Vcs-1:0]          vcs;
    logic [CountWidth-1:0]   length;
    logic [PayloadWidth-1:0] payload;
  } entry_t;

  localparam int unsigned EntryWidth = 2 + PortWidth + Vcs + CountWidth + PayloadWidth;

  entry_t arriving, front, stored;
  logic   valid, stored_valid;

  assign arriving = {head_i, tail_i, route_port_i, route_vcs_i, length_i, payload_i};

  sare_vc_buffer #(.Width(EntryWidth), .Depth(Depth), .ClockGating(ClockGating)) u_buffer (
    .clk_i, .rst_ni, .push_i, .data_i(arriving), .pop_i, .valid_o(valid), .data_o(front),
    .stored_valid_o(stored_valid), .stored_o(stored), .read_place_o, .write_place_o
  );

  logic             owns_q, owns_d;    // the packet at the front has an output VC
  logic [Ports-1:0] port_q;
  logic [Vcs-1:0]   vc_q;
  logic             got;
  logic             at_head;           // with its route, a cycle after the head came in if RC takes any
  logic [Ports-1:0] head_port;
  logic [Vcs-1:0]   head_vcs;
  logic [CountWidth-1:0] head_length;
  logic             bids;

  assign got = va_gnt_i != '0;

  if (RcDelay != 0) begin : gen_rc
    // The route was put into the buffer with the head: from there on it need not wait for data_i.
    logic routed;
    logic unused;
    assign unused      = ^{front.port, front.vcs, stored.tail, stored.payload};
    assign at_head     = stored_valid & stored.head;
    assign head_port   = Ports'(1) << stored.port;
    assign head_vcs    = stored.vcs;
    assign head_length = stored.length;
    assign bids        = routed;

    sare_hold #(.Cycles(RcDelay)) u_rc (
      .clk_i, .rst_ni, .on_i(valid & front.head & ~owns_q & ~got), .held_o(routed)
    );
  end else begin : gen_no_rc
    logic unused;
    assign unused      = ^{stored_valid, stored};
    assign at_head     = valid & front.head;
    assign head_port   = Ports'(1) << front.port;
    assign head_vcs    = front.vcs;
    assign head_length = front.length;
    assign bids        = at_head & ~owns_q;
  end

  // Stages of several cycles: the VC is there only VaDelay cycles after it was got, the switch again only SaDelay
  // cycles after it was won, but for the next packet, whose head has other stages before it.
  logic va_done, sa_busy;

  if (VaDelay > 1) begin : gen_va
    sare_hold #(.Cycles(VaDelay)) u_va (.clk_i, .rst_ni, .on_i(owns_d), .held_o(va_done));
  end else begin : gen_short_va
    assign va_done = owns_q | (VaDelay == 0);
  end
  if (SaDelay > 1) begin : gen_sa
    logic [SaDelay-2:0] sent_q;
    assign sa_busy = sent_q != '0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) sent_q <= '0;
      else sent_q <= (SaDelay-1)'({sent_q, pop_i & ~front.tail});
    end
  end else begin : gen_short_sa
    assign sa_busy = 1'b0;
  end

  // What the wanted port has to offer.
  logic [Vcs-1:0]            port_free, enough;
  logic [Vcs*CountWidth-1:0] port_credits;
  logic [CountWidth-1:0]     need;

  assign port_o = owns_q ? port_q : head_port;
  assign need   = Switching == sare_pkg::CutThrough && at_head ? head_length : CountWidth'(1);

  sare_onehot_mux #(.Inputs(Ports), .Width(Vcs)) u_free (
    .sel_i(head_port), .data_i(free_i), .data_o(port_free)
  );
  sare_onehot_mux #(.Inputs(Ports), .Width(Vcs*CountWidth)) u_credits (
    .sel_i(port_o), .data_i(credits_i), .data_o(port_credits)
  );
  always_comb begin
    for (int v = 0; v < Vcs; v++) enough[v] = port_credits[v*CountWidth +: CountWidth] >= need;
  end

  assign va_req_o   = bids ? head_vcs & port_free : '0;
  assign out_vc_o   = owns_q ? vc_q : va_gnt_i;
  assign sa_req_o   = valid & va_done & ~sa_busy & ((out_vc_o & enough) != '0);
  assign spec_req_o = (va_req_o & enough) != '0;
  assign spec_ok_o  = (va_gnt_i & enough) != '0;
  assign head_o     = front.head;
  assign tail_o     = front.tail;
  assign length_o   = front.length;
  assign payload_o  = front.payload;
  assign owns_d     = (owns_q | got) & ~(pop_i & front.tail);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owns_q <= 1'b0;
    else owns_q <= owns_d;
  end
  always_ff @(posedge clk_i) begin
    if (got) begin
      port_q <= head_port;
      vc_q   <= va_gnt_i;
    end
  end

`ifndef SYNTHESIS
  logic open_q;  // a packet whose tail has not come yet
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (push_i) open_q <= ~tail_i;
  end
`endif
  `SARE_ASSERT(packets_are_whole, !(push_i && head_i == open_q))
  `SARE_ASSERT(way_on, !(push_i && head_i && (route_vcs_i == '0 || 32'(route_port_i) >= Ports)))
  `SARE_ASSERT(head_without_vc, !valid || front.head || owns_q)
  `SARE_ASSERT(vc_given_to_bidder, (va_gnt_i & ~va_req_o) == '0)
  `SARE_ASSERT(leaves_with_vc, !pop_i || (out_vc_o & enough) != '0)

endmodule
