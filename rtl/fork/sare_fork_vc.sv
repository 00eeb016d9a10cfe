// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// An input virtual channel of a router in which packets fork: its buffer, and the branches of the packet at the front,
/// one for each output port that its route names. A branch bids for an output VC of its port, then for the switch, with
/// the flit that it has come to. A flit gives its place back when the last branch has taken it. Stages and timing are
/// those of sare_input_vc.
module sare_fork_vc #(
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
  /// Cycles of VA, 0 (a branch may bid for the switch in the cycle in which it gets its VC) to 15.
  parameter int unsigned VaDelay = 1,
  /// Cycles of SA, 0 to 15.
  parameter int unsigned SaDelay = 1,
  /// sare_pkg::Asynchronous or Synchronous (branches get their VCs, and take each flit, at once).
  parameter int unsigned Forking = sare_pkg::Asynchronous,
  /// See sare_vc_buffer.
  parameter bit ClockGating = 0,
  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Depth),
  localparam int unsigned TakenWidth = $clog2(Depth + 1),
  localparam int unsigned CountWidth = sare_pkg::count_width(Switching),
  localparam int unsigned EntryWidth = 2 + Ports + Vcs + CountWidth + PayloadWidth
) (
  /// Clock.
  input  logic                            clk_i,
  /// Asynchronous reset, active low.
  input  logic                            rst_ni,
  /// A flit comes in,
  input  logic                            push_i,
  /// the first of a packet,
  input  logic                            head_i,
  /// the last of a packet.
  input  logic                            tail_i,
  /// Of a head: output ports, a bit a branch.
  input  logic [Ports-1:0]                route_ports_i,
  /// Of a head: VCs of these ports that it may have.
  input  logic [Vcs-1:0]                  route_vcs_i,
  /// Of a head: flits of the packet (cut-through).
  input  logic [CountWidth-1:0]           length_i,
  /// The rest of the flit.
  input  logic [PayloadWidth-1:0]         payload_i,
  /// Output VCs that are free, by port and VC.
  input  logic [Ports*Vcs-1:0]            free_i,
  /// Credits of output VCs, by port and VC.
  input  logic [Ports*Vcs*CountWidth-1:0] credits_i,
  /// Output VCs asked for in VA, by port and VC.
  output logic [Ports*Vcs-1:0]            va_req_o,
  /// Those got, at most one a port.
  input  logic [Ports*Vcs-1:0]            va_gnt_i,
  /// Output ports for which the flit that is read asks: those of its branches that can take it now.
  output logic [Ports-1:0]                sa_ports_o,
  /// By port: the VC of its branch, one bit, if that takes the flit now.
  output logic [Ports*Vcs-1:0]            out_vcs_o,
  /// Ports by which it leaves.
  input  logic [Ports-1:0]                won_i,
  /// The last branch takes the front: its place is free.
  output logic                            freed_o,
  /// The flit that is read: first of its packet,
  output logic                            head_o,
  /// last of its packet,
  output logic                            tail_o,
  /// flits of the packet, of a head,
  output logic [CountWidth-1:0]           length_o,
  /// the rest.
  output logic [PayloadWidth-1:0]         payload_o,
  /// Its place in the buffer,
  output logic [PlaceWidth-1:0]           read_place_o,
  /// and the place of what comes in.
  output logic [PlaceWidth-1:0]           write_place_o
);

  typedef struct packed {
    logic                    head;
    logic                    tail;
    logic [Ports-1:0]        ports;
    logic [Vcs-1:0]          vcs;
    logic [CountWidth-1:0]   length;
    logic [PayloadWidth-1:0] payload;
  } entry_t;

  entry_t                arriving, stored, front, next;  // next: the flit that is read
  logic                  valid, stored_valid;
  logic [TakenWidth-1:0] count, skip;

  assign arriving = {head_i, tail_i, route_ports_i, route_vcs_i, length_i, payload_i};
  assign front    = stored_valid ? stored : arriving;

  sare_vc_buffer #(.Width(EntryWidth), .Depth(Depth), .ClockGating(ClockGating), .Skips(1)) u_buffer (
    .clk_i, .rst_ni, .push_i, .data_i(arriving), .pop_i(freed_o), .skip_i(skip), .valid_o(valid), .data_o(next),
    .stored_valid_o(stored_valid), .stored_o(stored), .count_o(count), .read_place_o, .write_place_o
  );
  logic unused;
  assign unused = ^{front, next};
  assign {head_o, tail_o, length_o, payload_o} = {next.head, next.tail, next.length, next.payload};

  // ---- The packet at the front, in RC and VA ------------------------------------------------------------
  logic             begun_q;  // some branch has an output VC
  logic [Ports-1:0] want_q;   // branches without one
  logic [Vcs-1:0]   vcs_q;    // VCs that they may have
  logic [Ports-1:0] wanted, got;
  logic [Vcs-1:0]   vcs;
  logic             bids, routed;
  logic [Ports-1:0] open;     // ports with a VC that the packet may have

  assign wanted = begun_q || RcDelay != 0 ? want_q : front.ports;
  assign vcs    = begun_q || RcDelay != 0 ? vcs_q : front.vcs;
  assign bids   = (begun_q | routed) & (Forking == sare_pkg::Asynchronous || (wanted & ~open) == '0);

  if (RcDelay != 0) begin : gen_rc
    sare_hold #(.Cycles(RcDelay)) u_rc (
      .clk_i, .rst_ni, .on_i(valid & front.head & ~begun_q & (got == '0)), .held_o(routed)
    );
  end else begin : gen_no_rc
    assign routed = valid & front.head;
  end
  always_ff @(posedge clk_i) begin
    want_q <= begun_q || got != '0 ? wanted & ~got : front.ports;
    if (!begun_q) vcs_q <= front.vcs;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begun_q <= 1'b0;
    else begun_q <= (begun_q | (got != '0)) & ~(freed_o & front.tail);
  end

  // ---- Branches -----------------------------------------------------------------------------------------
  logic [Ports-1:0]            has_q, has;  // has an output VC: since an earlier cycle; now
  logic [Ports-1:0]            can;         // has a flit, and all that this needs
  logic [Ports-1:0]            at_front;    // has not taken the front
  logic [Ports*TakenWidth-1:0] taken;       // flits taken, from the front on

  for (genvar p = 0; p < Ports; p++) begin : gen_branch
    logic [TakenWidth-1:0]  taken_q;
    logic [Vcs-1:0]         vc_q, vc, may, room, enough;
    logic                   ready, busy, ends, stays;
    logic [CountWidth-1:0]  need;

    // Synchronous: VCs that are got wait for each other, so a whole packet has room in them.
    assign may                     = vcs & free_i[p*Vcs +: Vcs] & (Forking == sare_pkg::Synchronous ? room : '1);
    assign open[p]                 = may != '0;
    assign va_req_o[p*Vcs +: Vcs]  = may & {Vcs{bids & wanted[p]}};
    assign got[p]                  = va_gnt_i[p*Vcs +: Vcs] != '0;
    assign has[p]                  = has_q[p] | got[p];
    assign vc                      = has_q[p] || VaDelay != 0 ? vc_q : va_gnt_i[p*Vcs +: Vcs];
    assign out_vcs_o[p*Vcs +: Vcs] = vc;

    assign at_front[p] = has_q[p] & (taken_q == '0);
    assign need        = Switching == sare_pkg::CutThrough && front.head && taken_q == '0 ? front.length : CountWidth'(1);
    always_comb begin
      for (int v = 0; v < Vcs; v++) begin
        enough[v] = credits_i[(p*Vcs + v)*CountWidth +: CountWidth] >= need;
        room[v]   = Switching == sare_pkg::Wormhole || credits_i[(p*Vcs + v)*CountWidth +: CountWidth] >= front.length;
      end
    end
    assign can[p] = ready & ~busy & (push_i | (taken_q != count)) & ((vc & enough) != '0);

    // As in sare_input_vc, the VC is there VaDelay cycles after it was got, the switch again SaDelay cycles after it
    // was won.
    if (VaDelay > 1) begin : gen_va
      sare_hold #(.Cycles(VaDelay)) u_va (.clk_i, .rst_ni, .on_i(stays), .held_o(ready));
    end else begin : gen_short_va
      assign ready = VaDelay == 0 ? has[p] : has_q[p];
    end
    if (SaDelay > 1) begin : gen_sa
      logic [SaDelay-2:0] sent_q;
      assign busy = sent_q != '0;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) sent_q <= '0;
        else sent_q <= (SaDelay-1)'({sent_q, won_i[p] & ~next.tail});
      end
    end else begin : gen_short_sa
      assign busy = 1'b0;
    end

    assign ends  = won_i[p] & next.tail;
    assign stays = has[p] & ~ends;
    assign taken[p*TakenWidth +: TakenWidth] = taken_q;
    always_ff @(posedge clk_i) begin
      if (got[p]) vc_q <= va_gnt_i[p*Vcs +: Vcs];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        has_q[p] <= 1'b0;
        taken_q  <= '0;
      end else begin
        has_q[p] <= stays;
        taken_q  <= stays ? taken_q + TakenWidth'(won_i[p]) - TakenWidth'(freed_o) : '0;
      end
    end
    `SARE_ASSERT(takes_what_is_there, taken_q <= count)
    `SARE_ASSERT(vc_given_to_bidder, (va_gnt_i[p*Vcs +: Vcs] & ~va_req_o[p*Vcs +: Vcs]) == '0)
    `SARE_ASSERT(leaves_with_vc, !won_i[p] || (vc & enough) != '0)
  end

  // ---- The flit that is read: the first one, from the front on, that some branch can take -----------------
  always_comb begin
    sa_ports_o = can;
    if (Forking == sare_pkg::Synchronous && (can != has || (wanted & ~got) != '0)) sa_ports_o = '0;
    for (int p = 0; p < Ports; p++) begin
      for (int q = 0; q < Ports; q++) begin
        if (can[q] && taken[q*TakenWidth +: TakenWidth] < taken[p*TakenWidth +: TakenWidth]) sa_ports_o[p] = 1'b0;
      end
    end
  end
  sare_onehot_mux #(.Inputs(Ports), .Width(TakenWidth)) u_skip (
    .sel_i(sa_ports_o), .data_i(taken), .data_o(skip)
  );
  assign freed_o = won_i != '0 && ((wanted | at_front) & ~won_i) == '0;

`ifndef SYNTHESIS
  logic open_q;  // a packet whose tail has not come yet
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= 1'b0;
    else if (push_i) open_q <= ~tail_i;
  end
`endif
  `SARE_ASSERT(packets_are_whole, !(push_i && head_i == open_q))
  `SARE_ASSERT(way_on, !(push_i && head_i && (route_vcs_i == '0 || route_ports_i == '0)))
  `SARE_ASSERT(head_without_vc, !valid || front.head || begun_q)
  `SARE_ASSERT(leaves_as_asked, (won_i & ~sa_ports_o) == '0)

endmodule
