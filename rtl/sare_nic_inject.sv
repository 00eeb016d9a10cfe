// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// The injecting half of a NIC: a stream of flits for each message class, on to one link. Classes take turns
/// flit by flit. A packet gets the next VC of its class, going round, that has the credits for its head, and
/// keeps it to its tail. A flit taken in cycle g is on the pins in g + Delay + 1.
module sare_nic_inject #(
  /// Virtual channels, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// Message classes, 1 to Vcs; a divisor of Vcs.
  parameter int unsigned Classes = 1,
  /// Flits in the router's buffer of a VC, 1 to 255.
  parameter int unsigned Depth = 8,
  /// See sare_router.
  parameter int unsigned Buffers = sare_pkg::Private,
  /// See sare_router.
  parameter int unsigned Reserved = 1,
  /// Data bits of a flit, 16 to 512.
  parameter int unsigned FlitWidth = 64,
  /// sare_pkg::Wormhole or CutThrough.
  parameter int unsigned Switching = sare_pkg::Wormhole,
  /// sare_pkg::Tail or Atomic (a packet begins only on a VC that has drained).
  parameter int unsigned Reallocation = sare_pkg::Tail,
  /// Cycles before the register of the link, 0 to 255.
  parameter int unsigned Delay = 1,
  /// Cycles that a credit takes after credit_i, 0 to 255.
  parameter int unsigned CreditInDelay = 0,
  /// Of the router: see sare_router.
  parameter int unsigned Ports = 5,
  /// Heads bring their route: see sare_router.
  parameter bit Lookahead = 0,
  /// See sare_router.
  parameter int unsigned Routing = sare_pkg::Dor,
  /// See sare_router.
  parameter int unsigned Dims = 2,
  /// See sare_router.
  parameter int unsigned CoordWidth = 3,
  /// See sare_router.
  parameter bit [Dims-1:0] Wrap = '0,
  /// See sare_router.
  parameter bit OneWay = 0,
  /// See sare_router.
  parameter int unsigned Dateline = sare_pkg::Trc,
  /// See sare_router.
  parameter int unsigned Nodes = 16,
  localparam int unsigned PortWidth = sare_pkg::idx_width(Ports),
  localparam int unsigned VcWidth = sare_pkg::idx_width(Vcs),
  localparam int unsigned CountWidth = sare_pkg::count_width(Switching),
  localparam int unsigned NodeWidth = sare_pkg::idx_width(Nodes),
  localparam int unsigned DestWidth = sare_pkg::dest_width(Routing, Ports, Dims, CoordWidth, Nodes)
) (
  /// Clock.
  input  logic                          clk_i,
  /// Asynchronous reset, active low.
  input  logic                          rst_ni,
  /// Coordinates of the router: see sare_router.
  input  logic [Dims*CoordWidth-1:0]    here_i,
  /// See sare_router.
  input  logic [Dims*CoordWidth-1:0]    last_i,
  /// Table, Lookahead: write an entry:
  input  logic                          cfg_valid_i,
  /// for this destination,
  input  logic [NodeWidth-1:0]          cfg_node_i,
  /// this output port of the router.
  input  logic [PortWidth-1:0]          cfg_port_i,
  /// By class: there is a flit to send,
  input  logic [Classes-1:0]            valid_i,
  /// the last of its packet,
  input  logic [Classes-1:0]            tail_i,
  /// with this data.
  input  logic [Classes*FlitWidth-1:0]  data_i,
  /// By class, with the first flit: destination; see sare_router for this and the next two.
  input  logic [Classes*DestWidth-1:0]  dest_i,
  /// Ways round the rings.
  input  logic [Classes*2*Dims-1:0]     ways_i,
  /// Flits of the packet (CutThrough).
  input  logic [Classes*CountWidth-1:0] length_i,
  /// The flit is taken in this cycle; one class at most.
  output logic [Classes-1:0]            ready_o,
  /// To an input port of the router: see there for this and what follows.
  output logic                          flit_valid_o,
  /// First of its packet.
  output logic                          flit_head_o,
  /// Last of its packet.
  output logic                          flit_tail_o,
  /// VC.
  output logic [VcWidth-1:0]            flit_vc_o,
  /// Data.
  output logic [FlitWidth-1:0]          flit_data_o,
  /// Destination.
  output logic [DestWidth-1:0]          flit_dest_o,
  /// Ways round the rings.
  output logic [2*Dims-1:0]             flit_ways_o,
  /// First VC of the class.
  output logic [VcWidth-1:0]            flit_vc_base_o,
  /// Flits of the packet.
  output logic [CountWidth-1:0]         flit_length_o,
  /// Output port at the router (Lookahead),
  output logic [PortWidth-1:0]          flit_port_o,
  /// and its VCs.
  output logic [Vcs-1:0]                flit_vcs_o,
  /// A place in the router's buffer is free again, by VC.
  input  logic [Vcs-1:0]                credit_i
);

  localparam int unsigned ClassVcs = Vcs / Classes;
  localparam int unsigned Pool = Buffers == sare_pkg::Shared ? Vcs * (Depth - Reserved) : 0;
  localparam int unsigned FlitBits = 2 + FlitWidth + DestWidth + 2*Dims + CountWidth + 2*VcWidth;

  logic [Vcs-1:0]              vc, send;    // by class: VC of the packet; sent on
  logic [Vcs-1:0]              credit, any;  // any: with a pool
  logic [Classes-1:0]          can, picked, head;
  logic [Classes*FlitBits-1:0] flits;

  if (Pool != 0) begin : gen_pool
    sare_shared_credits #(.Vcs(Vcs), .Reserved(Reserved), .Pool(Pool)) u_credits (
      .clk_i, .rst_ni, .credit_i(credit), .spend_i(send), .any_o(any)
    );
  end else begin : gen_no_pool
    assign any = '0;
  end

  for (genvar c = 0; c < Classes; c++) begin : gen_class
    logic [ClassVcs-1:0] room, credits, pick, vc_q;
    logic                open_q;  // a packet has begun
    logic [VcWidth-1:0]  number;

    for (genvar v = 0; v < ClassVcs; v++) begin : gen_vc
      localparam int unsigned V = c * ClassVcs + v;
      logic       unused, all;
      logic [7:0] count;
      sare_link_register #(.Stages(CreditInDelay), .Width(1)) u_credit_in (
        .clk_i, .rst_ni, .valid_i(credit_i[V]), .data_i(1'b0), .valid_o(credit[V]), .data_o(unused)
      );
      if (Pool != 0) begin : gen_pooled
        assign credits[v]   = any[V];
        assign {count, all} = '0;
      end else begin : gen_own
        logic unused_any;
        assign unused_any = any[V];
        sare_credit_counter #(.Depth(Depth)) u_credits (
          .clk_i, .rst_ni, .credit_i(credit[V]), .spend_i(send[V]), .credits_o(count), .any_o(credits[v]),
          .all_o(all)
        );
      end
      assign room[v]    = Reallocation == sare_pkg::Atomic ? all
                        : Switching == sare_pkg::CutThrough ? count >= 8'(length_i[c*CountWidth +: CountWidth])
                        : credits[v];
      assign send[V]    = picked[c] & vc[V];
    end

    // VC 0 of the class counts as the one used last at first.
    if (ClassVcs == 1) begin : gen_single
      assign pick = room;
    end else begin : gen_pick
      sare_rr_arbiter #(.Inputs(ClassVcs), .ServedAtReset(0)) u_arbiter (
        .clk_i, .rst_ni, .req_i(room), .served_i(picked[c] & head[c]), .pick_o(pick)
      );
    end

    assign head[c] = ~open_q;
    assign vc[c*ClassVcs +: ClassVcs] = open_q ? vc_q & credits : pick;
    assign can[c]  = valid_i[c] & (vc[c*ClassVcs +: ClassVcs] != '0);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) open_q <= 1'b0;
      else if (picked[c]) open_q <= ~tail_i[c];
    end
    always_ff @(posedge clk_i) begin
      if (picked[c]) vc_q <= vc[c*ClassVcs +: ClassVcs];
    end

    assign number = VcWidth'(sare_pkg::encode(16'(vc[c*ClassVcs +: ClassVcs]))) + VcWidth'(c * ClassVcs);
    assign flits[c*FlitBits +: FlitBits] = {
      head[c], tail_i[c], data_i[c*FlitWidth +: FlitWidth], dest_i[c*DestWidth +: DestWidth],
      ways_i[c*2*Dims +: 2*Dims], length_i[c*CountWidth +: CountWidth], number, VcWidth'(c * ClassVcs)
    };
  end

  sare_arbiter #(.Inputs(Classes)) u_arbiter (
    .clk_i, .rst_ni, .req_i(can), .served_i(can != '0), .pick_o(picked)
  );
  assign ready_o = picked;

  logic                  out_head, out_tail;
  logic [FlitWidth-1:0]  out_data;
  logic [DestWidth-1:0]  out_dest;
  logic [2*Dims-1:0]     out_ways;
  logic [CountWidth-1:0] out_length;
  logic [VcWidth-1:0]    out_vc, out_vc_base;
  logic [PortWidth-1:0]  route_port;
  logic [Vcs-1:0]        route_vcs;

  sare_onehot_mux #(.Inputs(Classes), .Width(FlitBits)) u_flit (
    .sel_i(picked), .data_i(flits),
    .data_o({out_head, out_tail, out_data, out_dest, out_ways, out_length, out_vc, out_vc_base})
  );

  if (Lookahead) begin : gen_route
    sare_route #(
      .Lookups(1), .Ports(Ports), .Vcs(Vcs), .Classes(Classes), .Routing(Routing), .Dims(Dims),
      .CoordWidth(CoordWidth), .Wrap(Wrap), .OneWay(OneWay), .Dateline(Dateline), .Nodes(Nodes)
    ) u_route (
      .clk_i, .here_i, .last_i, .cfg_valid_i, .cfg_node_i, .cfg_port_i, .leave_i('0), .dest_i(out_dest),
      .ways_i(out_ways), .vc_base_i(out_vc_base), .port_o(route_port), .vcs_o(route_vcs)
    );
  end else begin : gen_no_route
    logic unused;
    assign unused     = ^{here_i, last_i, cfg_valid_i, cfg_node_i, cfg_port_i};
    assign route_port = '0;
    assign route_vcs  = '0;
  end

  sare_link_register #(.Stages(Delay + 1), .Width(FlitBits + PortWidth + Vcs)) u_link (
    .clk_i, .rst_ni, .valid_i(picked != '0),
    .data_i({
      out_head, out_tail, out_data, out_dest, out_ways, out_length, out_vc, out_vc_base, route_port, route_vcs
    }),
    .valid_o(flit_valid_o),
    .data_o({
      flit_head_o, flit_tail_o, flit_data_o, flit_dest_o, flit_ways_o, flit_length_o, flit_vc_o,
      flit_vc_base_o, flit_port_o, flit_vcs_o
    })
  );

  `SARE_ASSERT(one_flit_a_cycle, (send & (send - 1'b1)) == '0)

endmodule
