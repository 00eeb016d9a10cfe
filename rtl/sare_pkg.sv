// SPDX-License-Identifier: Apache-2.0

/// Values of the choosing parameters, and functions of several modules. A comment names parameters, and their
/// values follow: the words that a configuration has (InputFirst: input_first) with their numbers. Vectors of
/// vectors are flat everywhere, element 0 lowest: Yosys 0.23 knows no others.
package sare_pkg;

  // Buffers
  localparam int unsigned Private = 0;
  localparam int unsigned Shared = 1;
  // Forking
  localparam int unsigned None = 0;
  localparam int unsigned Asynchronous = 1;
  localparam int unsigned Synchronous = 2;
  // Switching
  localparam int unsigned Wormhole = 0;
  localparam int unsigned CutThrough = 1;
  // VaAllocator, SaAllocator
  localparam int unsigned InputFirst = 0;
  localparam int unsigned OutputFirst = 1;
  localparam int unsigned Wavefront = 2;
  // VaArbiter, SaArbiter
  localparam int unsigned RoundRobin = 0;
  localparam int unsigned Matrix = 1;
  localparam int unsigned Priority = 2;
  localparam int unsigned Weighted = 3;
  // Reallocation
  localparam int unsigned Tail = 0;
  localparam int unsigned Atomic = 1;
  // Routing
  localparam int unsigned Dor = 0;
  localparam int unsigned Table = 1;
  // Dateline
  localparam int unsigned Trc = 0;
  localparam int unsigned Basic = 1;
  localparam int unsigned NoDateline = 3;

  /// Bits of an index below n; at least one.
  function automatic [31:0] idx_width(input [31:0] n);
    idx_width = n > 1 ? $clog2(n) : 1;
  endfunction

  /// Bits of a packet length and of what an output VC tells of its credits: with cut-through numbers up to
  /// 255; with wormhole switching a length is of no use, and all that counts is whether there is a credit.
  function automatic [31:0] count_width(input [31:0] switching);
    count_width = switching == CutThrough ? 8 : 1;
  endfunction

  /// Bits of a route: the number of an output port, or where packets fork, a bit a port.
  function automatic [31:0] route_width(input [31:0] forking, input [31:0] ports);
    route_width = forking == None ? idx_width(ports) : ports;
  endfunction

  /// Bits of a head's destination: the local port and a coordinate a dimension, or the number of a node.
  function automatic [31:0] dest_width(input [31:0] routing, input [31:0] ports, input [31:0] dims,
                                       input [31:0] coord_width, input [31:0] nodes);
    dest_width = routing == Table ? idx_width(nodes) : idx_width(ports) + dims * coord_width;
  endfunction

  /// The number of the bit that is set.
  function automatic [3:0] encode(input [15:0] one_hot);
    encode = {|(one_hot & 16'hff00), |(one_hot & 16'hf0f0), |(one_hot & 16'hcccc), |(one_hot & 16'haaaa)};
  endfunction

endpackage
