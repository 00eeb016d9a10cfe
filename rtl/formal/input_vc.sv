// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// An input VC: whatever VC allocator and switch do within their rules, no flit is lost, doubled or overtaken, all
/// flits of a packet leave by the port that its head's route says and by one VC of those that it allows, and a flit
/// leaves only with a VC that has a credit, with cut-through a head only with those for its whole packet.
module input_vc #(
  parameter int unsigned Ports = 2,
  parameter int unsigned Vcs = 2,
  parameter int unsigned Depth = 4,
  parameter int unsigned RcDelay = 1,
  parameter int unsigned VaDelay = 1,
  parameter int unsigned SaDelay = 1,
  parameter bit Speculative = 1,
  parameter int unsigned Switching = sare_pkg::Wormhole,
  localparam int unsigned Width = 2,
  localparam int unsigned PortWidth = sare_pkg::idx_width(Ports),
  localparam int unsigned CountWidth = sare_pkg::count_width(Switching)
) (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic                            push_i,
  input logic                            head_i,
  input logic                            tail_i,
  input logic [PortWidth-1:0]            route_port_i,
  input logic [Vcs-1:0]                  route_vcs_i,
  input logic [CountWidth-1:0]           length_i,
  input logic [Width-1:0]                payload_i,
  input logic [Ports*Vcs-1:0]            free_i,
  input logic [Ports*Vcs*CountWidth-1:0] credits_i,
  input logic [Vcs-1:0]                  va_gnt_i,
  input logic                            pop_i,
  input logic                            follow_i
);

  logic [Ports-1:0]      route, port, va_port;
  logic [Vcs-1:0]        va_req, out_vc;
  logic                  sa_req, spec_req, spec_ok, head, tail;
  logic [CountWidth-1:0] length;
  logic [Width-1:0]      payload;

  sare_input_vc #(
    .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .PayloadWidth(Width), .Switching(Switching), .RcDelay(RcDelay),
    .VaDelay(VaDelay), .SaDelay(SaDelay), .Speculative(Speculative)
  ) u_dut (
    .clk_i, .rst_ni, .push_i, .head_i, .tail_i, .route_port_i(route), .route_vcs_i, .length_i, .payload_i, .free_i,
    .credits_i, .port_o(port), .va_port_o(va_port), .va_req_o(va_req), .va_gnt_i, .sa_req_o(sa_req), .spec_req_o(spec_req),
    .spec_ok_o(spec_ok), .out_vc_o(out_vc), .pop_i, .head_o(head), .tail_o(tail), .length_o(length),
    .payload_o(payload)
  );

  assign route = (Ports)'(1) << route_port_i;

  // Reference: how many flits there are and whether the last packet is whole; the way of the packet at the front, if it
  // has begun to leave; any one flit, and how many are before it.
  localparam int unsigned FlitWidth = 2 + PortWidth + Vcs + CountWidth + Width;
  logic [7:0]           held_q, ahead_q;
  logic                 open_q, under_way_q, followed_q, take, leaves, here;
  logic [Ports-1:0]     way_port_q;
  logic [Vcs-1:0]       way_vc_q;
  logic [FlitWidth-1:0] flit, value_q;
  logic [PortWidth-1:0] value_port;
  logic [Vcs-1:0]       value_vcs;

  assign flit       = {head_i, tail_i, route_port_i, route_vcs_i, length_i, payload_i};
  assign value_port = value_q[Width+CountWidth+Vcs +: PortWidth];
  assign value_vcs  = value_q[Width+CountWidth +: Vcs];
  assign here       = followed_q && ahead_q == '0;
  assign leaves     = here && pop_i;
  assign take       = push_i && follow_i && !followed_q && !(pop_i && held_q == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q      <= '0;
      open_q      <= 1'b0;
      under_way_q <= 1'b0;
      followed_q  <= 1'b0;
    end else begin
      held_q     <= held_q + 8'(push_i) - 8'(pop_i);
      followed_q <= (followed_q | take) & ~leaves;
      if (push_i) open_q <= ~tail_i;
      if (pop_i) under_way_q <= ~tail;
    end
  end
  always_ff @(posedge clk_i) begin
    if (pop_i && head) begin
      way_port_q <= port;
      way_vc_q   <= out_vc;
    end
    if (take) begin
      ahead_q <= held_q - 8'(pop_i);
      value_q <= flit;
    end else if (pop_i) begin
      ahead_q <= ahead_q - 1'b1;
    end
  end

  `SARE_RESET_FIRST
  `SARE_ASSUME(sender_keeps_to_credits, !(push_i && held_q == Depth))
  `SARE_ASSUME(whole_packets, !push_i || head_i == !open_q)
  `SARE_ASSUME(has_a_route, !(push_i && head_i) || (route_vcs_i != '0 && route_port_i < Ports))
  `SARE_ASSUME(vc_given_as_asked, (va_gnt_i & ~va_req) == '0 && $countones(va_gnt_i) <= 1)
  `SARE_ASSUME(leaves_as_asked, !pop_i || sa_req || (Speculative && spec_req && spec_ok))

  logic follow_head;
  assign follow_head = here && value_q[FlitWidth-1];
  `SARE_ASSERT(out_in_turn, !here ||
               {head, tail, length, payload} == {value_q[FlitWidth-1 -: 2], value_q[Width+CountWidth-1:0]})
  `SARE_ASSERT(asks_when_there, held_q != '0 || push_i || !(sa_req || spec_req))
  `SARE_ASSERT(asks_for_its_route, !(follow_head && va_req != '0) ||
               ((va_req & ~value_vcs) == '0 && va_port == (Ports)'(1) << value_port))
  `SARE_ASSERT(leaves_by_its_route, !(follow_head && pop_i) ||
               ((out_vc & ~value_vcs) == '0 && port == (Ports)'(1) << value_port))
  `SARE_ASSERT(head_then_body, !pop_i || head == !under_way_q)
  `SARE_ASSERT(one_way_a_packet, !(pop_i && under_way_q) || (port == way_port_q && out_vc == way_vc_q))
  `SARE_ASSERT(one_vc, !pop_i || ($countones(out_vc) == 1 && $countones(port) == 1))

  logic                  credit;  // the VC left by has those needed
  logic [CountWidth-1:0] need;
  assign need = Switching == sare_pkg::CutThrough && head ? length : CountWidth'(1);
  always_comb begin
    credit = 1'b0;
    for (int p = 0; p < Ports; p++) begin
      for (int v = 0; v < Vcs; v++) begin
        if (port[p] && out_vc[v] && credits_i[(p*Vcs+v)*CountWidth +: CountWidth] >= need) credit = 1'b1;
      end
    end
  end
  `SARE_ASSERT(leaves_with_credit, !pop_i || credit)
  `SARE_COVER(full, held_q == Depth)
  `SARE_COVER(last_left, leaves && !head && tail && held_q == 8'd1)

  // Invariants of the state: the buffer's, and that packets lie in it one after the other.
  `SARE_PEEK [$clog2(Depth)-1:0] \u_dut.gen_own.u_buffer.read_q , \u_dut.gen_own.u_buffer.write_q ;
  `SARE_PEEK [$clog2(Depth+1)-1:0] \u_dut.gen_own.u_buffer.count_q ;
  `SARE_PEEK [FlitWidth-1:0] \u_dut.gen_own.u_buffer.mem_q[0] , \u_dut.gen_own.u_buffer.mem_q[1] , \u_dut.gen_own.u_buffer.mem_q[2] ;
  `SARE_PEEK [FlitWidth-1:0] \u_dut.gen_own.u_buffer.mem_q[3] , \u_dut.gen_own.u_buffer.mem_q[4] , \u_dut.gen_own.u_buffer.mem_q[5] ;
  `SARE_PEEK \u_dut.owns_q , \u_dut.open_q , \u_dut.gen_rc.routed ;
  `SARE_PEEK [Ports-1:0] \u_dut.port_q ;
  `SARE_PEEK [Vcs-1:0] \u_dut.vcs_q ;
  logic                   owns, routed, was_open, lines_up;
  logic [7:0]             count, read, write;
  logic [Ports-1:0]       port_q;
  logic [Vcs-1:0]         vc_q;
  logic [6*FlitWidth-1:0] words;
  logic [FlitWidth-1:0]   word, front;
  assign owns     = \u_dut.owns_q ;
  assign routed   = \u_dut.gen_rc.routed ;
  assign was_open = \u_dut.open_q ;
  assign count    = 8'(\u_dut.gen_own.u_buffer.count_q );
  assign read     = 8'(\u_dut.gen_own.u_buffer.read_q );
  assign write    = 8'(\u_dut.gen_own.u_buffer.write_q );
  assign port_q   = \u_dut.port_q ;
  assign vc_q     = \u_dut.vcs_q ;
  assign words    = {\u_dut.gen_own.u_buffer.mem_q[5] , \u_dut.gen_own.u_buffer.mem_q[4] , \u_dut.gen_own.u_buffer.mem_q[3] ,
                     \u_dut.gen_own.u_buffer.mem_q[2] , \u_dut.gen_own.u_buffer.mem_q[1] , \u_dut.gen_own.u_buffer.mem_q[0] };
  assign front    = words[read*FlitWidth +: FlitWidth];

  function automatic [7:0] wrap(input [7:0] place);
    wrap = place >= Depth ? place - 8'(Depth) : place;
  endfunction

  always_comb begin
    logic inside;  // the flit before belongs to the same packet
    lines_up = 1'b1;
    inside = under_way_q;
    word = '0;
    for (int n = 0; n < Depth; n++) begin
      if (n < held_q) begin
        word = words[wrap(read + 8'(n))*FlitWidth +: FlitWidth];
        if (word[FlitWidth-1] == inside) lines_up = 1'b0;
        if (word[FlitWidth-1] && word[Width+CountWidth +: Vcs] == '0) lines_up = 1'b0;
        if (word[FlitWidth-1] && word[Width+CountWidth+Vcs +: PortWidth] >= Ports) lines_up = 1'b0;
        inside = !word[FlitWidth-2];
      end
    end
    if (inside != open_q) lines_up = 1'b0;
  end

  `SARE_INVARIANT(count_right, count == held_q && held_q <= Depth && read < Depth && write == wrap(read + held_q))
  `SARE_INVARIANT(kept, !followed_q || (ahead_q < held_q && words[wrap(read + ahead_q)*FlitWidth +: FlitWidth] == value_q))
  `SARE_INVARIANT(packets_line_up, lines_up && was_open == open_q)
  `SARE_INVARIANT(owns_while_under_way, !under_way_q || (owns && port_q == way_port_q && vc_q == way_vc_q))
  `SARE_INVARIANT(one_owned, !owns || ($countones(vc_q) == 1 && $countones(port_q) == 1))
  `SARE_INVARIANT(owned_by_a_packet, !owns || under_way_q || (held_q != '0 && (vc_q & ~front[Width+CountWidth +: Vcs]) == '0
                                   && port_q == (Ports)'(1) << front[Width+CountWidth+Vcs +: PortWidth]))
  `SARE_INVARIANT(route_at_hand, RcDelay == 0 || !routed || (vc_q == front[Width+CountWidth +: Vcs]
                                 && port_q == (Ports)'(1) << front[Width+CountWidth+Vcs +: PortWidth]))
  `SARE_INVARIANT(routed_is_a_head, RcDelay == 0 || !routed || (held_q != '0 && !owns && front[FlitWidth-1]))

endmodule
