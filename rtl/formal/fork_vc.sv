// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// An input VC in which packets fork: whatever VC allocator and switch do within their rules, any one flit leaves once by
/// each output port of its packet's route and by no other, and is whole; then, not before, its place is free. By each
/// port the flits of a packet leave in order, by one VC of those that it may have, with the credits that they need.
module fork_vc #(
  parameter int unsigned Ports = 2,
  parameter int unsigned Vcs = 2,
  parameter int unsigned Depth = 3,
  parameter int unsigned RcDelay = 1,
  parameter int unsigned VaDelay = 1,
  parameter int unsigned SaDelay = 1,
  parameter int unsigned Forking = sare_pkg::Asynchronous,
  parameter int unsigned Switching = sare_pkg::Wormhole,
  localparam int unsigned Width = 3,
  localparam int unsigned CountWidth = sare_pkg::count_width(Switching)
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic                            push_i,
  input logic                            head_i,
  input logic                            tail_i,
  input logic [Ports-1:0]                route_ports_i,
  input logic [Vcs-1:0]                  route_vcs_i,
  input logic [CountWidth-1:0]           length_i,
  input logic                            bit_i,
  input logic [Ports*Vcs-1:0]            free_i,
  input logic [Ports*Vcs*CountWidth-1:0] credits_i,
  input logic [Ports*Vcs-1:0]            va_gnt_i,
  input logic [Ports-1:0]                won_i,
  input logic                            follow_i
);

  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Depth);

  logic [Ports*Vcs-1:0]  va_req, out_vcs;
  logic [Ports-1:0]      asks;
  logic                  freed, head, tail;
  logic [CountWidth-1:0] length;
  logic [Width-1:0]      payload;
  logic [PlaceWidth-1:0] read_place, write_place;

  // Reference: how many flits there are, and which is to come next; any one flit, with the ports of its packet, those by
  // which it has left, and how many are before it; what each port sends next.
  logic [7:0]               held_q, ahead_q;
  logic                     open_q, followed_q, take, reads, leaves;
  logic [1:0]               number_q, number;
  logic [Ports-1:0]         ports, ports_q, way_q, left_q, left, under_way_q;
  logic [Vcs-1:0]           vcs, vcs_q;
  logic [PlaceWidth-1:0]    place_q;
  logic [1+CountWidth+Width:0] value_q;
  logic [Ports*2-1:0]       next_q;
  logic [Ports*Vcs-1:0]     way_vcs_q;

  sare_fork_vc #(
    .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .PayloadWidth(Width), .Switching(Switching), .RcDelay(RcDelay),
    .VaDelay(VaDelay), .SaDelay(SaDelay)
  ) u_dut (
    .clk_i, .rst_ni, .push_i, .head_i, .tail_i, .route_ports_i, .route_vcs_i, .length_i, .payload_i({bit_i, number}),
    .free_i, .credits_i, .va_req_o(va_req), .va_gnt_i, .sa_ports_o(asks), .out_vcs_o(out_vcs), .won_i, .freed_o(freed),
    .head_o(head), .tail_o(tail), .length_o(length), .payload_o(payload), .read_place_o(read_place),
    .write_place_o(write_place)
  );

  assign number = head_i ? '0 : number_q;
  assign ports  = head_i ? route_ports_i : ports_q;
  assign vcs    = head_i ? route_vcs_i : vcs_q;
  assign take   = push_i && follow_i && !followed_q && !(won_i != '0 && read_place == write_place);
  assign reads  = followed_q && read_place == place_q;
  assign left   = left_q | (reads ? won_i : '0);
  assign leaves = followed_q && ahead_q == '0 && freed;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q      <= '0;
      open_q      <= 1'b0;
      followed_q  <= 1'b0;
      under_way_q <= '0;
      next_q      <= '0;
    end else begin
      held_q     <= held_q + 8'(push_i) - 8'(freed);
      followed_q <= (followed_q | take) & ~leaves;
      if (push_i) open_q <= ~tail_i;
      for (int p = 0; p < Ports; p++) begin
        if (won_i[p]) under_way_q[p] <= ~tail;
        if (won_i[p]) next_q[2*p +: 2] <= tail ? '0 : next_q[2*p +: 2] + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (push_i) begin
      number_q <= number + 1'b1;
      ports_q  <= ports;
      vcs_q    <= vcs;
    end
    for (int p = 0; p < Ports; p++) begin
      if (won_i[p]) way_vcs_q[p*Vcs +: Vcs] <= out_vcs[p*Vcs +: Vcs];
    end
    left_q <= take ? '0 : left;
    if (take) begin
      ahead_q <= held_q - 8'(freed);
      value_q <= {head_i, tail_i, length_i, bit_i, number};
      way_q   <= ports;
      place_q <= write_place;
    end else if (freed) begin
      ahead_q <= ahead_q - 1'b1;
    end
  end

  `SARE_RESET_FIRST
  `SARE_ASSUME(sender_keeps_to_credits, !(push_i && held_q == Depth))
  `SARE_ASSUME(whole_packets, !push_i || head_i == !open_q)
  `SARE_ASSUME(has_a_route, !(push_i && head_i) || (route_vcs_i != '0 && route_ports_i != '0))
  `SARE_ASSUME(vcs_given_as_asked, (va_gnt_i & ~va_req) == '0)
  `SARE_ASSUME(leaves_as_asked, (won_i & ~asks) == '0)

  `SARE_ASSERT(asks_when_there, held_q != '0 || push_i || asks == '0)
  `SARE_ASSERT(whole, !(reads && won_i != '0) || {head, tail, length, payload} == value_q)
  `SARE_ASSERT(by_its_ports, !followed_q || (left & ~way_q) == '0)
  `SARE_ASSERT(once, !reads || (left_q & won_i) == '0)
  `SARE_ASSERT(by_all_of_them, !leaves || left == way_q)
  `SARE_ASSERT(then_at_once, !followed_q || left != way_q || leaves)
  `SARE_COVER(full, held_q == Depth)
  `SARE_COVER(one_branch_ahead, followed_q && left_q == (Ports)'(1) && ahead_q == 8'd1)

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [Vcs-1:0] vc, enough;
    assign vc = out_vcs[p*Vcs +: Vcs];
    always_comb begin
      for (int v = 0; v < Vcs; v++) begin
        enough[v] = credits_i[(p*Vcs+v)*CountWidth +: CountWidth]
                    >= (Switching == sare_pkg::CutThrough && head ? length : CountWidth'(1));
      end
    end
    `SARE_ASSUME(one_vc_given, $countones(va_gnt_i[p*Vcs +: Vcs]) <= 1)
    `SARE_ASSERT(asks_for_what_is_free, (va_req[p*Vcs +: Vcs] & ~free_i[p*Vcs +: Vcs]) == '0)
    `SARE_ASSERT(head_then_body, !won_i[p] || head == !under_way_q[p])
    `SARE_ASSERT(in_order, !won_i[p] || payload[1:0] == next_q[2*p +: 2])
    `SARE_ASSERT(one_way_a_packet, !(won_i[p] && under_way_q[p]) || vc == way_vcs_q[p*Vcs +: Vcs])
    `SARE_ASSERT(leaves_with_credit, !won_i[p] || ($countones(vc) == 1 && (vc & enough) != '0))
  end

endmodule
