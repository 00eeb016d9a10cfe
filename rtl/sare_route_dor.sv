// SPDX-License-Identifier: Apache-2.0

/// Dimension order on mesh, torus and ring: the lowest dimension in which the packet is not there yet. Port
/// 2d leads to the + neighbour in dimension d, 2d + 1 to the - neighbour (OneWay: port d to the +
/// neighbour). Round a ring it goes the way that its source chose, and its class of VCs keeps cycles out.
module sare_route_dor #(
  /// Ports of the router, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Dimensions, 1 to 8.
  parameter int unsigned Dims = 2,
  /// Bits of a coordinate, 1 to 16.
  parameter int unsigned CoordWidth = 3,
  /// Dimensions that are rings, a bit each.
  parameter bit [Dims-1:0] Wrap = '0,
  /// The rings have + links only.
  parameter bit OneWay = 0,
  /// sare_pkg::Trc (upper VCs on the wrap link and after it), Basic (upper VCs for packets that cross the
  /// wrap link) or NoDateline.
  parameter int unsigned Dateline = sare_pkg::Trc,
  /// 1: for the router that the packet comes to by port leave_i.
  parameter bit Ahead = 0,
  localparam int unsigned PortWidth = sare_pkg::idx_width(Ports)
) (
  /// Coordinates of this router, dimension 0 lowest.
  input  logic [Dims*CoordWidth-1:0]           here_i,
  /// The highest coordinate of each dimension.
  input  logic [Dims*CoordWidth-1:0]           last_i,
  /// Port by which the packet leaves (Ahead).
  input  logic [PortWidth-1:0]                 leave_i,
  /// The port of the destination at its router, and that router's coordinates below it.
  input  logic [PortWidth+Dims*CoordWidth-1:0] dest_i,
  /// For each dimension, from the lowest bit on: it goes in the - direction; it crosses the wrap link.
  input  logic [2*Dims-1:0]                    ways_i,
  /// Output port.
  output logic [PortWidth-1:0]                 port_o,
  /// May have the lower half of the VCs of its message class.
  output logic                                 low_o,
  /// May have the upper half.
  output logic                                 high_o
);

  logic [Dims-1:0]           unlike, negative, upper, both;
  logic [Dims*CoordWidth-1:0] at;

  for (genvar d = 0; d < Dims; d++) begin : gen_dim
    localparam int unsigned Plus = OneWay ? d : 2 * d;

    logic [CoordWidth-1:0] here, last, c, t;
    assign here = here_i[d*CoordWidth +: CoordWidth];
    assign last = last_i[d*CoordWidth +: CoordWidth];
    assign t    = dest_i[d*CoordWidth +: CoordWidth];
    assign c    = at[d*CoordWidth +: CoordWidth];

    if (Ahead) begin : gen_ahead
      logic up, down;
      assign up   = 32'(leave_i) == Plus;
      assign down = !OneWay && 32'(leave_i) == Plus + 1;
      always_comb begin
        at[d*CoordWidth +: CoordWidth] = here;
        if (up) at[d*CoordWidth +: CoordWidth] = Wrap[d] && here == last ? '0 : here + 1'b1;
        if (down) at[d*CoordWidth +: CoordWidth] = Wrap[d] && here == '0 ? last : here - 1'b1;
      end
    end else begin : gen_here
      assign at[d*CoordWidth +: CoordWidth] = here;
    end

    assign unlike[d] = c != t;
    if (Wrap[d]) begin : gen_ring
      logic crosses, on_or_behind;
      assign {crosses, negative[d]} = ways_i[2*d +: 2];
      assign on_or_behind = negative[d] ? c == '0 || c > t : c == last || c < t;
      assign both[d]  = Dateline == sare_pkg::NoDateline;
      assign upper[d] = crosses & (on_or_behind | (Dateline == sare_pkg::Basic));
    end else begin : gen_line
      logic unused;
      assign unused      = ^{ways_i[2*d +: 2], last};
      assign negative[d] = t < c;
      assign both[d]     = 1'b1;
      assign upper[d]    = 1'b0;
    end
  end

  logic unused;
  assign unused = ^leave_i;

  always_comb begin
    port_o = dest_i[Dims*CoordWidth +: PortWidth];
    low_o  = 1'b1;
    high_o = 1'b1;
    for (int d = Dims - 1; d >= 0; d--) begin
      if (unlike[d]) begin
        port_o = OneWay ? PortWidth'(d) : PortWidth'(2*d) | PortWidth'(negative[d]);
        low_o  = both[d] | ~upper[d];
        high_o = both[d] | upper[d];
      end
    end
  end

endmodule
