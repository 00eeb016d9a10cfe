// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// An input virtual channel: its buffer (its part of a shared one is outside), and how far the packet at the front has come. A head that reaches
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
  /// Heads bid for VC and switch in the same cycle.
  parameter bit Speculative = 1,
  /// See sare_vc_buffer.
  parameter bit ClockGating = 0,
  /// The buffer is a sare_shared_buffer, of the port.
  parameter bit Shared = 0,
  localparam int unsigned PortWidth = sare_pkg::idx_width(Ports),
  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Depth),
  localparam int unsigned CountWidth = sare_pkg::count_width(Switching),
  localparam int unsigned EntryWidth = 2 + PortWidth + Vcs + CountWidth + PayloadWidth
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
  /// Of a head: output port, one bit.
  input  logic [Ports-1:0]                  route_port_i,
  /// Of a head: VCs of that port that it may have.
  input  logic [Vcs-1:0]                    route_vcs_i,
  /// Of a head: flits of the packet (cut-through).
  input  logic [CountWidth-1:0]             length_i,
  /// The rest of the flit.
  input  logic [PayloadWidth-1:0]           payload_i,
  /// Shared: a flit is stored there,
  input  logic                              stored_valid_i,
  /// the first of them: head, tail, port, VCs, length, payload.
  input  logic [EntryWidth-1:0]             stored_i,
  /// Output VCs that are free, by port and VC.
  input  logic [Ports*Vcs-1:0]              free_i,
  /// Credits of output VCs, by port and VC.
  input  logic [Ports*Vcs*CountWidth-1:0]   credits_i,
  /// Output port of the packet at the front, one bit, while sa_req_o.
  output logic [Ports-1:0]                  port_o,
  /// The same while it bids in VA.
  output logic [Ports-1:0]                  va_port_o,
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

  entry_t arriving, front, stored;
  logic   valid, stored_valid;

  assign arriving = {
    head_i, tail_i, PortWidth'(sare_pkg::encode(16'(route_port_i))), route_vcs_i, length_i, payload_i
  };

  if (Shared) begin : gen_shared
    assign stored_valid = stored_valid_i;
    assign stored       = stored_i;
    assign valid        = stored_valid | push_i;
    assign front        = stored_valid ? stored : arriving;
    assign {read_place_o, write_place_o} = '0;
  end else begin : gen_own
    logic [$clog2(Depth+1)-1:0] unused_count;
    logic unused_stored;
    assign unused_stored = ^{stored_valid_i, stored_i};
    sare_vc_buffer #(.Width(EntryWidth), .Depth(Depth), .ClockGating(ClockGating)) u_buffer (
      .clk_i, .rst_ni, .push_i, .data_i(arriving), .pop_i, .skip_i('0), .valid_o(valid), .data_o(front),
      .stored_valid_o(stored_valid), .stored_o(stored), .count_o(unused_count), .read_place_o, .write_place_o
    );
  end

  // A head that gets a VC may leave in the same cycle.
  localparam bit AtOnce = Speculative || VaDelay == 0;

  logic             owns_q, owns_d;  // the packet at the front has an output VC
  logic [Ports-1:0] port_q;          // its port
  logic [Vcs-1:0]   vcs_q;           // the VC; before it has one (RC), those that it may have
  logic             got;
  logic [Ports-1:0] front_port;
  logic             bids, needs_all;

  assign got        = va_gnt_i != '0;
  assign front_port = stored_valid ? Ports'(1) << stored.port : route_port_i;

  always_ff @(posedge clk_i) begin
    if (!owns_q) begin
      port_q <= front_port;
      vcs_q  <= RcDelay != 0 && !got ? front.vcs : va_gnt_i;
    end
  end

  // What the wanted ports have to offer.
  logic [Ports-1:0]          leave_port;
  logic [Vcs-1:0]            wanted, port_free, enough, owned, given;
  logic [Vcs*CountWidth-1:0] port_credits;
  logic [CountWidth-1:0]     front_length, need;

  if (RcDelay != 0) begin : gen_rc
    // The registers of RC: a head that has been at the front for so long has its route there.
    logic routed;
    logic unused;
    assign unused       = ^{front.port, stored.tail, stored.vcs, stored.payload};
    assign bids         = routed;
    assign wanted       = vcs_q;
    assign va_port_o    = port_q;
    assign leave_port   = port_q;
    assign needs_all    = stored_valid & stored.head;
    assign front_length = stored.length;

    sare_hold #(.Cycles(RcDelay)) u_rc (
      .clk_i, .rst_ni, .on_i(valid & front.head & ~owns_q & ~got), .held_o(routed)
    );
  end else begin : gen_no_rc
    logic unused;
    assign unused       = ^{front.port, stored.head, stored.tail, stored.vcs, stored.length, stored.payload};
    assign bids         = valid & front.head & ~owns_q;
    assign wanted       = front.vcs;
    assign va_port_o    = front_port;
    assign leave_port   = AtOnce && !owns_q ? front_port : port_q;
    assign needs_all    = front.head;
    assign front_length = front.length;
  end
  assign port_o = leave_port;
  assign need   = Switching == sare_pkg::CutThrough && needs_all ? front_length : CountWidth'(1);

  // Stages of several cycles: the VC is there only VaDelay cycles after it was got, the switch again only SaDelay
  // cycles after it was won, but for the next packet, whose head has other stages before it.
  logic va_done, sa_busy;

  if (VaDelay > 1) begin : gen_va
    sare_hold #(.Cycles(VaDelay)) u_va (.clk_i, .rst_ni, .on_i(owns_d), .held_o(va_done));
  end else begin : gen_short_va
    assign va_done = 1'b1;
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

  sare_onehot_mux #(.Inputs(Ports), .Width(Vcs)) u_free (
    .sel_i(va_port_o), .data_i(free_i), .data_o(port_free)
  );
  sare_onehot_mux #(.Inputs(Ports), .Width(Vcs*CountWidth)) u_credits (
    .sel_i(leave_port), .data_i(credits_i), .data_o(port_credits)
  );
  always_comb begin
    for (int v = 0; v < Vcs; v++) enough[v] = port_credits[v*CountWidth +: CountWidth] >= need;
  end
  assign owned = vcs_q & enough;
  assign given = va_gnt_i & enough;

  assign va_req_o   = wanted & port_free & {Vcs{bids}};
  assign sa_req_o   = valid & va_done & ~sa_busy & (owns_q ? owned != '0 : VaDelay == 0 && given != '0);
  assign spec_req_o = (va_req_o & enough) != '0;
  assign spec_ok_o  = given != '0;
  assign out_vc_o   = owns_q || !AtOnce ? vcs_q : va_gnt_i;
  assign head_o     = front.head;
  assign tail_o     = front.tail;
  assign length_o   = front.length;
  assign payload_o  = front.payload;
  assign owns_d     = (owns_q | got) & ~(pop_i & front.tail);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owns_q <= 1'b0;
    else owns_q <= owns_d;
  end

`ifndef SYNTHESIS
  logic open_q;  // a packet whose tail has not come yet
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (push_i) open_q <= ~tail_i;
  end
`endif
  `SARE_ASSERT(packets_are_whole, !(push_i && head_i == open_q))
  `SARE_ASSERT(way_on, !(push_i && head_i && (route_vcs_i == '0 || route_port_i == '0)))
  `SARE_ASSERT(head_without_vc, !valid || front.head || owns_q)
  `SARE_ASSERT(vc_given_to_bidder, (va_gnt_i & ~va_req_o) == '0)
  `SARE_ASSERT(leaves_with_vc, !pop_i || (out_vc_o & enough) != '0)

endmodule
