// SPDX-License-Identifier: Apache-2.0

/// An arbiter of any kind, of requesters that have message classes: round robin behind a sare_class_filter, or one
/// that knows no classes.
module sare_class_arbiter #(
  /// Requesters, from 1.
  parameter int unsigned Inputs = 4,
  /// sare_pkg::RoundRobin, Matrix, Priority or Weighted.
  parameter int unsigned Kind = sare_pkg::RoundRobin,
  /// Message classes, from 1.
  parameter int unsigned Classes = 1,
  /// Weighted: weights of the classes, 16 bits each, from 1.
  parameter bit [Classes*16-1:0] Weights = {Classes{16'd1}}
) (
  /// Clock.
  input  logic                      clk_i,
  /// Asynchronous reset, active low.
  input  logic                      rst_ni,
  /// Requests.
  input  logic [Inputs-1:0]         req_i,
  /// Classes of each requester, a bit each: of several the highest counts.
  input  logic [Inputs*Classes-1:0] class_i,
  /// The one picked is served.
  input  logic                      served_i,
  /// The pick, one bit, if there is a request.
  output logic [Inputs-1:0]         pick_o
);

  logic [Inputs-1:0] req;

  sare_class_filter #(.Inputs(Inputs), .Kind(Kind), .Classes(Classes), .Weights(Weights)) u_filter (
    .clk_i, .rst_ni, .req_i, .class_i, .served_i, .pick_i(pick_o), .req_o(req)
  );
  sare_arbiter #(.Inputs(Inputs), .Kind(Kind == sare_pkg::Matrix ? sare_pkg::Matrix : sare_pkg::RoundRobin)) u_arbiter (
    .clk_i, .rst_ni, .req_i(req), .served_i, .pick_o
  );

endmodule
