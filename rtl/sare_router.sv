// SPDX-License-Identifier: Apache-2.0

/// The pipelined virtual-channel router of docs/router.md, cycle for cycle. What comes in is used in the same
/// cycle (with InputRegister in the next); a flit that the switch grants in cycle g is on the output pins in g + SaDelay + StDelay + 1, the
/// credit of its place in g + CreditDelay + 1. docs/rtl.md has the pins and the timing. All vectors hold
/// port 0 (port 0's VC 0) in their lowest bits.
module sare_router #(
  /// Ports, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Virtual channels a port, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// Flits in the buffer of a VC, 2 to 64.
  parameter int unsigned Depth = 8,
  /// sare_pkg::Private (each VC has a buffer) or Shared (the VCs of a port have one of Vcs * Depth flits: Wormhole, Tail).
  parameter int unsigned Buffers = sare_pkg::Private,
  /// Shared: places of it that each VC has for itself, 0 to Depth.
  parameter int unsigned Reserved = 1,
  /// Places that a VC has for itself in the buffers beyond the output ports, 8 bits each, 1 to 255; from 0 with OutPool.
  parameter bit [Ports*8-1:0] OutDepth = {Ports{8'(Buffers == sare_pkg::Shared ? Reserved : Depth)}},
  /// Places beyond the output ports that the VCs share, 16 bits each (Wormhole, Tail); 0: none.
  parameter bit [Ports*16-1:0] OutPool = {Ports{16'(Buffers == sare_pkg::Shared ? Vcs * (Depth - Reserved) : 0)}},
  /// Data bits of a flit, 16 to 512.
  parameter int unsigned FlitWidth = 64,
  /// Message classes, 1 to Vcs; a divisor of Vcs, which they share out evenly.
  parameter int unsigned Classes = 1,
  /// sare_pkg::Wormhole or CutThrough.
  parameter int unsigned Switching = sare_pkg::Wormhole,
  /// sare_pkg::None, Asynchronous or Synchronous: a packet leaves by all output ports that its route names, by each as
  /// it comes free or by all at once (Private; Table; neither Lookahead nor Speculative; InputFirst, RoundRobin).
  parameter int unsigned Forking = sare_pkg::None,
  /// Cycles of route computation, 0 to 15.
  parameter int unsigned RcDelay = 1,
  /// Cycles of VC allocation, 0 to 15.
  parameter int unsigned VaDelay = 1,
  /// Cycles of switch allocation, 0 to 15.
  parameter int unsigned SaDelay = 1,
  /// Cycles of switch traversal, 0 to 15.
  parameter int unsigned StDelay = 1,
  /// Flits and credits that come in are registered, and used a cycle later.
  parameter bit InputRegister = 0,
  /// Heads bring their route; RC takes no cycle, and finds the route at the next router.
  parameter bit Lookahead = 0,
  /// Heads bid in VA and SA in the same cycle (of use where VaDelay is not 0).
  parameter bit Speculative = 0,
  /// sare_pkg::Tail or Atomic: when an output VC is free again.
  parameter int unsigned Reallocation = sare_pkg::Tail,
  /// sare_pkg::InputFirst, OutputFirst or Wavefront.
  parameter int unsigned VaAllocator = sare_pkg::InputFirst,
  /// sare_pkg::InputFirst, OutputFirst or Wavefront.
  parameter int unsigned SaAllocator = sare_pkg::InputFirst,
  /// sare_pkg::RoundRobin, Matrix, Priority or Weighted; of no use with Wavefront.
  parameter int unsigned VaArbiter = sare_pkg::RoundRobin,
  /// sare_pkg::RoundRobin, Matrix, Priority or Weighted.
  parameter int unsigned SaArbiter = sare_pkg::RoundRobin,
  /// Weighted: weights of the message classes, 16 bits each, from 1.
  parameter bit [Classes*16-1:0] SaWeights = {Classes{16'd1}},
  /// What goes with flits waits in a memory a port (sare_ram, to be replaced by a macro), which is read in the cycle
  /// of SA: SaDelay from 1. Else it waits in flip-flops, a FIFO a VC.
  parameter bit MemoryBuffers = 0,
  /// Buffers, and registers of stages and links, get a clock only when they load (sare_clock_gate, to be replaced by
  /// the library's cell). Else they have enables.
  parameter bit ClockGating = 0,
  /// Cycles that a credit takes before the register at credit_o, 0 to 255.
  parameter int unsigned CreditDelay = 1,
  /// Cycles that a credit takes after credit_i, 0 to 255. (The model delays credits where they come in.)
  parameter int unsigned CreditInDelay = 0,
  /// sare_pkg::Dor or Table.
  parameter int unsigned Routing = sare_pkg::Dor,
  /// Dor: dimensions, 1 to 8.
  parameter int unsigned Dims = 2,
  /// Dor: bits of a coordinate, 1 to 16.
  parameter int unsigned CoordWidth = 3,
  /// Dor: dimensions that are rings, a bit each.
  parameter bit [Dims-1:0] Wrap = '0,
  /// Dor: the rings have + links only.
  parameter bit OneWay = 0,
  /// Dor: sare_pkg::Trc, Basic or NoDateline.
  parameter int unsigned Dateline = sare_pkg::Trc,
  /// Table: destinations, from 2.
  parameter int unsigned Nodes = 16,
  localparam int unsigned PortWidth = sare_pkg::idx_width(Ports),
  localparam int unsigned VcWidth = sare_pkg::idx_width(Vcs),
  localparam int unsigned CountWidth = sare_pkg::count_width(Switching),
  localparam int unsigned RouteWidth = sare_pkg::route_width(Forking, Ports),
  localparam int unsigned NodeWidth = sare_pkg::idx_width(Nodes),
  localparam int unsigned DestWidth = sare_pkg::dest_width(Routing, Ports, Dims, CoordWidth, Nodes)
) (
  /// Clock.
  input  logic                        clk_i,
  /// Asynchronous reset, active low.
  input  logic                        rst_ni,
  /// Dor: coordinates of this router; constant.
  input  logic [Dims*CoordWidth-1:0]  here_i,
  /// Dor, rings: the highest coordinate of each dimension; constant.
  input  logic [Dims*CoordWidth-1:0]  last_i,
  /// Table: write an entry:
  input  logic                        cfg_valid_i,
  /// for this destination,
  input  logic [NodeWidth-1:0]        cfg_node_i,
  /// this output port; with Lookahead, that of the next router; with Forking, these, a bit each.
  input  logic [RouteWidth-1:0]       cfg_port_i,
  /// A flit comes in,
  input  logic [Ports-1:0]            flit_valid_i,
  /// the first of its packet,
  input  logic [Ports-1:0]            flit_head_i,
  /// the last of its packet,
  input  logic [Ports-1:0]            flit_tail_i,
  /// on this VC,
  input  logic [Ports*VcWidth-1:0]    flit_vc_i,
  /// with this data.
  input  logic [Ports*FlitWidth-1:0]  flit_data_i,
  /// Head: destination (Dor: its local port, then its coordinates from the highest dimension down to
  /// dimension 0 in the lowest bits; Table: its number).
  input  logic [Ports*DestWidth-1:0]  flit_dest_i,
  /// Head, rings: two bits a dimension, goes in the - direction (lower) and crosses the wrap link.
  input  logic [Ports*2*Dims-1:0]     flit_ways_i,
  /// Head: first VC of its message class.
  input  logic [Ports*VcWidth-1:0]    flit_vc_base_i,
  /// Head, CutThrough: flits of the packet.
  input  logic [Ports*CountWidth-1:0] flit_length_i,
  /// Head, Lookahead: output port at this router,
  input  logic [Ports*PortWidth-1:0]  flit_port_i,
  /// and the VCs of it that it may have.
  input  logic [Ports*Vcs-1:0]        flit_vcs_i,
  /// A place in the buffer of this input VC is free again.
  output logic [Ports*Vcs-1:0]        credit_o,
  /// The same for what goes out; fields that the parameters make no use of are 0.
  output logic [Ports-1:0]            flit_valid_o,
  /// See flit_head_i.
  output logic [Ports-1:0]            flit_head_o,
  /// See flit_tail_i.
  output logic [Ports-1:0]            flit_tail_o,
  /// See flit_vc_i.
  output logic [Ports*VcWidth-1:0]    flit_vc_o,
  /// See flit_data_i.
  output logic [Ports*FlitWidth-1:0]  flit_data_o,
  /// See flit_dest_i.
  output logic [Ports*DestWidth-1:0]  flit_dest_o,
  /// See flit_ways_i.
  output logic [Ports*2*Dims-1:0]     flit_ways_o,
  /// See flit_vc_base_i.
  output logic [Ports*VcWidth-1:0]    flit_vc_base_o,
  /// See flit_length_i.
  output logic [Ports*CountWidth-1:0] flit_length_o,
  /// See flit_port_i: at the next router.
  output logic [Ports*PortWidth-1:0]  flit_port_o,
  /// See flit_vcs_i: at the next router.
  output logic [Ports*Vcs-1:0]        flit_vcs_o,
  /// A place in the buffer beyond this output VC is free again.
  input  logic [Ports*Vcs-1:0]        credit_i
);

  localparam int unsigned InVcs = Ports * Vcs;
  localparam bit Shared = Buffers == sare_pkg::Shared;
  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Shared ? Vcs * Depth : Depth);
  if ((Shared || OutPool != '0) && (Switching != sare_pkg::Wormhole || Reallocation != sare_pkg::Tail)) begin : gen_no_pool
    $error("Buffers that VCs share are for Wormhole switching and Reallocation by Tail");
  end

  localparam bit Forks = Forking != sare_pkg::None;
  localparam bit Simple = VaAllocator == sare_pkg::InputFirst && SaAllocator == sare_pkg::InputFirst
                          && VaArbiter == sare_pkg::RoundRobin && SaArbiter == sare_pkg::RoundRobin && !Speculative;
  if (Forks && (Routing != sare_pkg::Table || Lookahead || Shared || !Simple)) begin : gen_no_fork
    $error("Forking is for tables, buffers of each VC's own, InputFirst and RoundRobin, without Lookahead and Speculative");
  end

  // What goes with a flit through the buffers: {dest, ways, vc_base, data}; and on its way out: {head, tail,
  // vc, length, port and vcs at the next router, payload}.
  localparam int unsigned PayloadWidth = DestWidth + 2 * Dims + VcWidth + FlitWidth;
  localparam int unsigned OutWidth = 2 + VcWidth + CountWidth + PortWidth + Vcs + PayloadWidth;

  // ---- RC: for heads that come in, or with lookahead for heads that leave -------------------------------
  logic [Ports*DestWidth-1:0] rc_dest;
  logic [Ports*2*Dims-1:0]    rc_ways;
  logic [Ports*VcWidth-1:0]   rc_vc_base;
  logic [Ports*PortWidth-1:0] rc_leave;
  logic [Ports*RouteWidth-1:0] rc_port;
  logic [Ports*Vcs-1:0]       rc_vcs;

  sare_route #(
    .Lookups(Ports), .Ports(Ports), .Vcs(Vcs), .Forking(Forking), .Classes(Classes), .Routing(Routing), .Dims(Dims),
    .CoordWidth(CoordWidth), .Wrap(Wrap), .OneWay(OneWay), .Dateline(Dateline), .Nodes(Nodes),
    .Ahead(Lookahead)
  ) u_route (
    .clk_i, .here_i, .last_i, .cfg_valid_i, .cfg_node_i, .cfg_port_i, .leave_i(rc_leave), .dest_i(rc_dest),
    .ways_i(rc_ways), .vc_base_i(rc_vc_base), .port_o(rc_port), .vcs_o(rc_vcs)
  );

  // ---- Allocation -------------------------------------------------------------------------------------
  logic [InVcs-1:0]            free;                              // by output VC
  logic [InVcs*CountWidth-1:0] credits;                           // by output VC
  logic [InVcs-1:0]            taken;                             // by output VC
  logic [InVcs*Ports-1:0]      sa_port, va_port;                  // by input VC
  logic [InVcs*Vcs-1:0]        va_req, va_gnt;                    // by input VC
  logic [InVcs*InVcs-1:0]      fork_req, fork_gnt;                // by input VC; Forking
  logic [InVcs-1:0]            sa_req, spec_req, spec_ok;         // by input VC
  logic [InVcs-1:0]            sa_gnt, sa_pick;                   // by input VC
  logic [Ports*Ports-1:0]      sel;                               // by output port, then input port

  if (Forks) begin : gen_forking
    logic [Ports-1:0] first_q;  // input ports from the one on whose number is the cycle's modulo Ports
    logic             unused;
    assign unused = ^{va_req, va_gnt, va_port, sa_req, spec_req, spec_ok, sa_gnt};
    assign va_gnt = '0;
    sare_fork_vc_allocator #(.Ports(Ports), .Vcs(Vcs), .Forking(Forking)) u_va (
      .clk_i, .rst_ni, .first_i(first_q), .req_i(fork_req), .gnt_o(fork_gnt), .taken_o(taken)
    );
    sare_fork_switch_allocator #(.Ports(Ports), .Vcs(Vcs), .Forking(Forking)) u_sa (
      .clk_i, .rst_ni, .first_i(first_q), .ports_i(sa_port), .pick_o(sa_pick), .sel_o(sel)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) first_q <= '1;
      else first_q <= first_q << 1 == '0 ? '1 : first_q << 1;
    end
  end else begin : gen_plain
    logic unused;
    assign {unused, fork_gnt} = {^{fork_req, fork_gnt}, (InVcs*InVcs)'(0)};
    sare_any_vc_allocator #(.Ports(Ports), .Vcs(Vcs), .Allocator(VaAllocator), .Arbiter(VaArbiter)) u_va (
      .clk_i, .rst_ni, .req_i(va_req), .port_i(va_port), .gnt_o(va_gnt), .taken_o(taken)
    );
    // Where VA takes no cycle a head that gets a VC is no speculation any more.
    sare_spec_allocator #(
      .Ports(Ports), .Vcs(Vcs), .Allocator(SaAllocator), .Arbiter(SaArbiter), .Classes(Classes), .Weights(SaWeights),
      .Speculative(Speculative && VaDelay != 0)
    ) u_sa (
      .clk_i, .rst_ni, .req_i(sa_req), .spec_req_i(spec_req), .spec_ok_i(spec_ok), .port_i(sa_port),
      .spec_port_i(va_port), .gnt_o(sa_gnt), .pick_o(sa_pick), .sel_o(sel)
    );
  end

  // ---- Input ports --------------------------------------------------------------------------------------
  logic [Ports*Ports*(Vcs+1)-1:0] leaving;  // by output, then input port: it is a tail; VC that the flit leaves on
  logic [Ports*OutWidth-1:0]  xbar_in, xbar_out;
  logic [Ports*Ports-1:0]     xbar_sel;

  for (genvar p = 0; p < Ports; p++) begin : gen_input
    localparam int unsigned InWidth = 2 + VcWidth + CountWidth + PortWidth + Vcs + PayloadWidth;
    // What of a payload waits with the rest of its flit in the input VC; a bit of no meaning if all is in a memory.
    localparam int unsigned KeptWidth = MemoryBuffers ? 1 : PayloadWidth;
    localparam int unsigned FrontWidth = 2 + Vcs + CountWidth + KeptWidth;
    localparam int unsigned EntryWidth = 2 + PortWidth + Vcs + CountWidth + KeptWidth;
    localparam int unsigned OwnWidth = sare_pkg::idx_width(Depth);

    logic                      in_valid, in_head, in_tail;
    logic [VcWidth-1:0]        in_vc;
    logic [FlitWidth-1:0]      in_data;
    logic [PortWidth-1:0]      in_port;
    logic [Vcs-1:0]            in_vcs;
    logic [DestWidth-1:0]      dest;
    logic [2*Dims-1:0]         ways;
    logic [VcWidth-1:0]        vc_base;
    logic [CountWidth-1:0]     length;
    logic [Ports-1:0]          route_port;
    logic [Vcs-1:0]            route_vcs;
    logic [Vcs*FrontWidth-1:0] fronts;
    logic [PayloadWidth-1:0]   arriving;
    logic [Vcs-1:0]            push;
    logic [Vcs*PlaceWidth-1:0] read_place, write_place;
    logic [Vcs*OwnWidth-1:0]   own_read_place, own_write_place;
    logic [Vcs-1:0]            stored_valid;
    logic [Vcs*EntryWidth-1:0] stored;
    logic [Vcs*InVcs-1:0]      branch_vcs;  // by VC: those of the branches of its packet
    logic [Vcs-1:0]            freed;       // VCs that give a place back
    logic [Ports-1:0]          to;          // output ports of the flit that leaves

    sare_link_register #(.Stages(32'(InputRegister)), .Width(InWidth), .ClockGating(ClockGating)) u_input_register (
      .clk_i, .rst_ni, .valid_i(flit_valid_i[p]),
      .data_i({
        flit_head_i[p], flit_tail_i[p], flit_vc_i[p*VcWidth +: VcWidth],
        Wrap != '0 ? flit_ways_i[p*2*Dims +: 2*Dims] : '0,
        Classes > 1 ? flit_vc_base_i[p*VcWidth +: VcWidth] : '0,
        Switching == sare_pkg::CutThrough ? flit_length_i[p*CountWidth +: CountWidth] : '0,
        Lookahead ? flit_port_i[p*PortWidth +: PortWidth] : '0, Lookahead ? flit_vcs_i[p*Vcs +: Vcs] : '0,
        flit_dest_i[p*DestWidth +: DestWidth], flit_data_i[p*FlitWidth +: FlitWidth]
      }),
      .valid_o(in_valid),
      .data_o({in_head, in_tail, in_vc, ways, vc_base, length, in_port, in_vcs, dest, in_data})
    );
    assign route_port = Forks     ? Ports'(rc_port[p*RouteWidth +: RouteWidth])
                      : Lookahead ? Ports'(1) << in_port : Ports'(1) << rc_port[p*RouteWidth +: RouteWidth];
    assign route_vcs  = Lookahead ? in_vcs : rc_vcs[p*Vcs +: Vcs];
    assign arriving   = {dest, ways, vc_base, in_data};

    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      localparam int unsigned I = p * Vcs + v;

      logic                    front_head, front_tail;
      logic [Vcs-1:0]          front_vc;
      logic [CountWidth-1:0]   front_length;
      logic [KeptWidth-1:0]    front_payload;

      assign push[v] = in_valid && 32'(in_vc) == v;

      if (Forks) begin : gen_forking
        logic unused;
        assign unused = ^{stored_valid[v], stored[v*EntryWidth +: EntryWidth]};
        sare_fork_vc #(
          .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .PayloadWidth(KeptWidth), .Switching(Switching), .RcDelay(RcDelay),
          .VaDelay(VaDelay), .SaDelay(SaDelay), .Forking(Forking), .ClockGating(ClockGating)
        ) u_vc (
          .clk_i, .rst_ni, .push_i(push[v]), .head_i(in_head), .tail_i(in_tail), .route_ports_i(route_port),
          .route_vcs_i(route_vcs), .length_i(length), .payload_i(KeptWidth'(MemoryBuffers ? '0 : arriving)),
          .free_i(free), .credits_i(credits), .va_req_o(fork_req[I*InVcs +: InVcs]),
          .va_gnt_i(fork_gnt[I*InVcs +: InVcs]), .sa_ports_o(sa_port[I*Ports +: Ports]),
          .out_vcs_o(branch_vcs[v*InVcs +: InVcs]), .won_i(to & {Ports{sa_pick[I]}}), .freed_o(freed[v]),
          .head_o(front_head), .tail_o(front_tail), .length_o(front_length), .payload_o(front_payload),
          .read_place_o(own_read_place[v*OwnWidth +: OwnWidth]),
          .write_place_o(own_write_place[v*OwnWidth +: OwnWidth])
        );
        assign {sa_gnt[I], front_vc} = {sa_pick[I] & (to != '0), Vcs'(0)};
        assign {va_port[I*Ports +: Ports], va_req[I*Vcs +: Vcs], sa_req[I], spec_req[I], spec_ok[I]} = '0;
      end else begin : gen_plain
        sare_input_vc #(
          .Ports(Ports), .Vcs(Vcs), .Depth(Depth), .PayloadWidth(KeptWidth), .Switching(Switching),
          .RcDelay(Lookahead ? 0 : RcDelay), .VaDelay(VaDelay), .SaDelay(SaDelay), .Speculative(Speculative),
          .ClockGating(ClockGating), .Shared(Shared)
        ) u_vc (
          .clk_i, .rst_ni, .push_i(push[v]), .head_i(in_head), .tail_i(in_tail), .route_port_i(route_port),
          .route_vcs_i(route_vcs), .length_i(length), .payload_i(KeptWidth'(MemoryBuffers ? '0 : arriving)),
          .stored_valid_i(stored_valid[v]), .stored_i(stored[v*EntryWidth +: EntryWidth]), .free_i(free),
          .credits_i(credits), .port_o(sa_port[I*Ports +: Ports]), .va_port_o(va_port[I*Ports +: Ports]),
          .va_req_o(va_req[I*Vcs +: Vcs]), .va_gnt_i(va_gnt[I*Vcs +: Vcs]), .sa_req_o(sa_req[I]),
          .spec_req_o(spec_req[I]), .spec_ok_o(spec_ok[I]), .out_vc_o(front_vc), .pop_i(sa_gnt[I]),
          .head_o(front_head), .tail_o(front_tail), .length_o(front_length), .payload_o(front_payload),
          .read_place_o(own_read_place[v*OwnWidth +: OwnWidth]), .write_place_o(own_write_place[v*OwnWidth +:
          OwnWidth])
        );
        assign fork_req[I*InVcs +: InVcs]   = '0;
        assign branch_vcs[v*InVcs +: InVcs] = {Ports{front_vc}};
        assign freed[v]                     = sa_gnt[I];
      end
      assign fronts[v*FrontWidth +: FrontWidth] = {front_head, front_tail, front_vc, front_length,
                                                   front_payload};
    end

    if (Shared) begin : gen_shared
      logic [PlaceWidth-1:0] place;
      logic                  unused;
      assign unused      = ^{own_read_place, own_write_place};
      assign write_place = {Vcs{place}};
      sare_shared_buffer #(
        .Vcs(Vcs), .Places(Vcs * Depth), .Width(EntryWidth), .ClockGating(ClockGating)
      ) u_buffer (
        .clk_i, .rst_ni, .push_i(push),
        .data_i({
          in_head, in_tail, PortWidth'(sare_pkg::encode(16'(route_port))), route_vcs, length,
          KeptWidth'(MemoryBuffers ? '0 : arriving)
        }),
        .pop_i(sa_gnt[p*Vcs +: Vcs]), .stored_valid_o(stored_valid), .stored_o(stored), .read_place_o(read_place),
        .write_place_o(place)
      );
    end else begin : gen_own
      assign {stored_valid, stored} = '0;
      assign read_place             = own_read_place;
      assign write_place            = own_write_place;
    end

    // The flit that leaves, if one does, and the credit of its place. It is fetched as soon as it is picked.
    logic                    sent, head, tail, freed_valid;
    logic [InVcs-1:0]        branch_vc;
    logic [Vcs-1:0]          out_vc, given;
    logic [VcWidth-1:0]      out_vc_number;
    logic [CountWidth-1:0]   out_length;
    logic [KeptWidth-1:0]    kept;

    sare_onehot_mux #(.Inputs(Vcs), .Width(FrontWidth)) u_front (
      .sel_i(sa_pick[p*Vcs +: Vcs]), .data_i(fronts), .data_o({head, tail, out_vc, out_length, kept})
    );
    for (genvar y = 0; y < Ports; y++) begin : gen_to
      assign to[y] = sel[y*Ports + p];
      assign leaving[(y*Ports + p)*(Vcs+1) +: Vcs+1] = {tail, Forks ? branch_vc[y*Vcs +: Vcs] : out_vc};
    end
    sare_onehot_mux #(.Inputs(Vcs), .Width(InVcs)) u_branch (
      .sel_i(sa_pick[p*Vcs +: Vcs]), .data_i(branch_vcs), .data_o(branch_vc)
    );
    assign sent          = to != '0;
    assign out_vc_number = VcWidth'(sare_pkg::encode(16'(out_vc)));

    sare_link_register #(.Stages(CreditDelay + 1), .Width(Vcs)) u_credit (
      .clk_i, .rst_ni, .valid_i(Forks ? freed != '0 : sent), .data_i(Forks ? freed : sa_pick[p*Vcs +: Vcs]),
      .valid_o(freed_valid), .data_o(given)
    );
    assign credit_o[p*Vcs +: Vcs] = freed_valid ? given : '0;

    // The registers of SA.
    localparam int unsigned SaWidth = Ports + 2 + VcWidth + CountWidth + KeptWidth;
    logic                    sa_valid, sa_head, sa_tail;
    logic [Ports-1:0]        sa_to;
    logic [VcWidth-1:0]      sa_vc, sa_vc_base;
    logic [CountWidth-1:0]   sa_length;
    logic [DestWidth-1:0]    sa_dest;
    logic [2*Dims-1:0]       sa_ways;
    logic [FlitWidth-1:0]    sa_data;
    logic [KeptWidth-1:0]    sa_kept;

    sare_link_register #(.Stages(SaDelay), .Width(SaWidth), .ClockGating(ClockGating)) u_sa_register (
      .clk_i, .rst_ni, .valid_i(sent),
      .data_i({to, head, tail, out_vc_number, out_length, kept}), .valid_o(sa_valid),
      .data_o({sa_to, sa_head, sa_tail, sa_vc, sa_length, sa_kept})
    );
    if (MemoryBuffers && SaDelay == 0) begin : gen_no_cycle
      $error("MemoryBuffers reads in the cycle of SA: SaDelay must be at least 1");
    end else if (MemoryBuffers) begin : gen_memory
      // The memory's output register is in the place of the first one of SA.
      logic [PayloadWidth-1:0] fetched;
      logic                    fetched_valid, unused_valid, unused_kept;

      sare_port_memory #(
        .Vcs(Vcs), .Depth(Depth), .Width(PayloadWidth), .ClockGating(ClockGating), .Shared(Shared), .Forks(Forks)
      ) u_memory (
        .clk_i, .rst_ni, .push_i(push), .write_place_i(write_place), .data_i(arriving),
        .pop_i(sa_gnt[p*Vcs +: Vcs]), .read_place_i(read_place), .valid_o(fetched_valid), .data_o(fetched)
      );
      sare_link_register #(.Stages(SaDelay - 1), .Width(PayloadWidth), .ClockGating(ClockGating)) u_fetched (
        .clk_i, .rst_ni, .valid_i(fetched_valid), .data_i(fetched), .valid_o(unused_valid),
        .data_o({sa_dest, sa_ways, sa_vc_base, sa_data})
      );
      assign unused_kept = sa_kept;
    end else begin : gen_kept
      logic unused;
      assign unused = ^{read_place, write_place};
      assign {sa_dest, sa_ways, sa_vc_base, sa_data} = sa_kept;
    end
    for (genvar y = 0; y < Ports; y++) begin : gen_sel
      assign xbar_sel[y*Ports + p] = sa_to[y] & sa_valid;
    end
    assign xbar_in[p*OutWidth +: OutWidth] = {
      sa_head, sa_tail, sa_vc, sa_length, Lookahead && sa_head ? PortWidth'(rc_port[p*RouteWidth +: RouteWidth]) : '0,
      Lookahead && sa_head ? rc_vcs[p*Vcs +: Vcs] : '0, sa_dest, sa_ways, sa_vc_base, sa_data
    };

    assign rc_leave[p*PortWidth +: PortWidth] = PortWidth'(sare_pkg::encode(16'(sa_to)));
    assign rc_dest[p*DestWidth +: DestWidth]  = Lookahead ? sa_dest : dest;
    assign rc_ways[p*2*Dims +: 2*Dims]        = Lookahead ? sa_ways : ways;
    assign rc_vc_base[p*VcWidth +: VcWidth]   = Lookahead ? sa_vc_base : vc_base;
  end

  sare_crossbar #(.Ports(Ports), .Width(OutWidth)) u_crossbar (
    .sel_i(xbar_sel), .data_i(xbar_in), .data_o(xbar_out)
  );

  // ---- Output ports -------------------------------------------------------------------------------------
  for (genvar p = 0; p < Ports; p++) begin : gen_output
    localparam int unsigned Own = 32'(OutDepth[p*8 +: 8]);
    localparam int unsigned Pool = 32'(OutPool[p*16 +: 16]);
    logic [Vcs-1:0]      out_vc, credit, any;  // any: with a pool
    logic                tail;
    logic [OutWidth-1:0] leaves;

    if (Pool != 0) begin : gen_pool
      sare_shared_credits #(.Vcs(Vcs), .Reserved(Own), .Pool(Pool)) u_credits (
        .clk_i, .rst_ni, .credit_i(credit), .spend_i(out_vc), .any_o(any)
      );
    end else begin : gen_no_pool
      assign any = '0;
    end
    sare_onehot_mux #(.Inputs(Ports), .Width(Vcs + 1)) u_leaving (
      .sel_i(sel[p*Ports +: Ports]), .data_i(leaving[p*Ports*(Vcs+1) +: Ports*(Vcs+1)]), .data_o({tail, out_vc})
    );
    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      localparam int unsigned O = p * Vcs + v;
      logic unused;
      sare_link_register #(.Stages(CreditInDelay + 32'(InputRegister)), .Width(1)) u_credit_in (
        .clk_i, .rst_ni, .valid_i(credit_i[O]), .data_i(1'b0), .valid_o(credit[v]), .data_o(unused)
      );
      sare_output_vc #(
        .Depth(Own), .Switching(Switching), .Reallocation(Reallocation), .Pooled(Pool != 0)
      ) u_vc (
        .clk_i, .rst_ni, .credit_i(credit[v]), .any_i(any[v]), .take_i(taken[O]), .send_i(out_vc[v]), .tail_i(tail),
        .free_o(free[O]), .credits_o(credits[O*CountWidth +: CountWidth])
      );
    end

    // A flit that forks has a VC for each output.
    if (Forks) begin : gen_branch
      logic               unused;
      logic [VcWidth-1:0] branch_vc;
      sare_link_register #(.Stages(SaDelay), .Width(VcWidth)) u_branch_vc (
        .clk_i, .rst_ni, .valid_i(sel[p*Ports +: Ports] != '0), .data_i(VcWidth'(sare_pkg::encode(16'(out_vc)))),
        .valid_o(unused), .data_o(branch_vc)
      );
      assign leaves = xbar_out[p*OutWidth +: OutWidth] | OutWidth'(branch_vc) << (OutWidth - 2 - VcWidth);
    end else begin : gen_lone
      assign leaves = xbar_out[p*OutWidth +: OutWidth];
    end

    // Switch traversal, and the register of the link.
    sare_link_register #(.Stages(StDelay + 1), .Width(OutWidth), .ClockGating(ClockGating)) u_link (
      .clk_i, .rst_ni, .valid_i(xbar_sel[p*Ports +: Ports] != '0), .data_i(leaves),
      .valid_o(flit_valid_o[p]),
      .data_o({
        flit_head_o[p], flit_tail_o[p], flit_vc_o[p*VcWidth +: VcWidth],
        flit_length_o[p*CountWidth +: CountWidth], flit_port_o[p*PortWidth +: PortWidth],
        flit_vcs_o[p*Vcs +: Vcs], flit_dest_o[p*DestWidth +: DestWidth], flit_ways_o[p*2*Dims +: 2*Dims],
        flit_vc_base_o[p*VcWidth +: VcWidth], flit_data_o[p*FlitWidth +: FlitWidth]
      })
    );
  end

endmodule
