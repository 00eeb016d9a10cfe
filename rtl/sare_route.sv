// SPDX-License-Identifier: Apache-2.0

/// Route computation of several heads at once: an output port each, or as many as the packet has branches, and the VCs
/// of them that the head may have.
module sare_route #(
  /// Heads, from 1.
  parameter int unsigned Lookups = 5,
  /// Ports of the router, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Virtual channels a port, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// See sare_router; other than None it needs a Table.
  parameter int unsigned Forking = sare_pkg::None,
  /// Message classes, 1 to Vcs, of as many VCs each.
  parameter int unsigned Classes = 1,
  /// sare_pkg::Dor or Table.
  parameter int unsigned Routing = sare_pkg::Dor,
  /// See sare_route_dor.
  parameter int unsigned Dims = 2,
  /// See sare_route_dor.
  parameter int unsigned CoordWidth = 3,
  /// See sare_route_dor.
  parameter bit [Dims-1:0] Wrap = '0,
  /// See sare_route_dor.
  parameter bit OneWay = 0,
  /// See sare_route_dor.
  parameter int unsigned Dateline = sare_pkg::Trc,
  /// See sare_route_table.
  parameter int unsigned Nodes = 16,
  /// 1: routes at the router that each packet comes to by its leave_i; the table must hold those.
  parameter bit Ahead = 0,
  localparam int unsigned PortWidth = sare_pkg::idx_width(Ports),
  localparam int unsigned RouteWidth = sare_pkg::route_width(Forking, Ports),
  localparam int unsigned VcWidth = sare_pkg::idx_width(Vcs),
  localparam int unsigned NodeWidth = sare_pkg::idx_width(Nodes),
  localparam int unsigned DestWidth = sare_pkg::dest_width(Routing, Ports, Dims, CoordWidth, Nodes)
) (
  /// Clock.
  input  logic                         clk_i,
  /// Coordinates of this router (Dor).
  input  logic [Dims*CoordWidth-1:0]   here_i,
  /// The highest coordinates (Dor, rings).
  input  logic [Dims*CoordWidth-1:0]   last_i,
  /// Write an entry of the table (Table):
  input  logic                         cfg_valid_i,
  /// of this node,
  input  logic [NodeWidth-1:0]         cfg_node_i,
  /// this port; Forking: these, a bit each.
  input  logic [RouteWidth-1:0]        cfg_port_i,
  /// Ports by which the packets leave (Dor, Ahead).
  input  logic [Lookups*PortWidth-1:0] leave_i,
  /// Destinations.
  input  logic [Lookups*DestWidth-1:0] dest_i,
  /// Ways round the rings (Dor).
  input  logic [Lookups*2*Dims-1:0]    ways_i,
  /// First VC of each packet's message class.
  input  logic [Lookups*VcWidth-1:0]   vc_base_i,
  /// Output ports, as in the table.
  output logic [Lookups*RouteWidth-1:0] port_o,
  /// VCs.
  output logic [Lookups*Vcs-1:0]       vcs_o
);

  // The lower half of a class has the odd VC.
  localparam int unsigned ClassVcs = Vcs / Classes;
  localparam bit [Vcs-1:0] All = Vcs'((1 << ClassVcs) - 1);
  localparam bit [Vcs-1:0] Low = Vcs'((1 << ((ClassVcs + 1) / 2)) - 1);

  logic [Lookups-1:0] low, high;

  if (Routing == sare_pkg::Table) begin : gen_table
    logic unused;
    assign unused = ^{here_i, last_i, leave_i, ways_i};
    assign low    = '1;
    assign high   = '1;
    sare_route_table #(.RouteWidth(RouteWidth), .Nodes(Nodes), .Lookups(Lookups)) u_table (
      .clk_i, .cfg_valid_i, .cfg_node_i, .cfg_port_i, .dest_i, .port_o
    );
  end else begin : gen_dor
    logic unused;
    assign unused = ^{clk_i, cfg_valid_i, cfg_node_i, cfg_port_i};
    for (genvar k = 0; k < Lookups; k++) begin : gen_lookup
      sare_route_dor #(
        .Ports(Ports), .Dims(Dims), .CoordWidth(CoordWidth), .Wrap(Wrap), .OneWay(OneWay),
        .Dateline(Dateline), .Ahead(Ahead)
      ) u_dor (
        .here_i, .last_i, .leave_i(leave_i[k*PortWidth +: PortWidth]),
        .dest_i(dest_i[k*DestWidth +: DestWidth]), .ways_i(ways_i[k*2*Dims +: 2*Dims]),
        .port_o(port_o[k*RouteWidth +: PortWidth]), .low_o(low[k]), .high_o(high[k])
      );
    end
  end

  for (genvar k = 0; k < Lookups; k++) begin : gen_vcs
    assign vcs_o[k*Vcs +: Vcs] = ((low[k] ? Low : '0) | (high[k] ? All & ~Low : '0))
                                 << (Classes == 1 ? '0 : vc_base_i[k*VcWidth +: VcWidth]);
  end

endmodule
