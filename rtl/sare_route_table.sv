// SPDX-License-Identifier: Apache-2.0

/// A route for each destination, looked up by several packets at once. Not reset: to be written before use.
module sare_route_table #(
  /// Bits of a route (sare_pkg::route_width).
  parameter int unsigned RouteWidth = 3,
  /// Destinations, from 2.
  parameter int unsigned Nodes = 16,
  /// Packets that look up at once, from 1.
  parameter int unsigned Lookups = 1,
  localparam int unsigned NodeWidth = sare_pkg::idx_width(Nodes)
) (
  /// Clock.
  input  logic                          clk_i,
  /// Write an entry:
  input  logic                          cfg_valid_i,
  /// of this node,
  input  logic [NodeWidth-1:0]          cfg_node_i,
  /// this route.
  input  logic [RouteWidth-1:0]         cfg_port_i,
  /// Destinations.
  input  logic [Lookups*NodeWidth-1:0]  dest_i,
  /// Their routes.
  output logic [Lookups*RouteWidth-1:0] port_o
);

  logic [RouteWidth-1:0] table_q [Nodes];

  always_ff @(posedge clk_i) begin
    if (cfg_valid_i) table_q[cfg_node_i] <= cfg_port_i;
  end
  for (genvar k = 0; k < Lookups; k++) begin : gen_lookup
    assign port_o[k*RouteWidth +: RouteWidth] = table_q[dest_i[k*NodeWidth +: NodeWidth]];
  end

endmodule
