// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// What message classes do before an arbiter: it narrows the requests down to those of the highest class that asks
/// (priority), or to those of classes that are not through with their share of a round (weighted). A round is over
/// when all that ask have had their share; a class is served in it as often as its weight says. Of other kinds of
/// arbiters nothing is narrowed.
module sare_class_filter #(
  /// Requesters, from 1.
  parameter int unsigned Inputs = 4,
  /// sare_pkg::Priority or Weighted, else no matter.
  parameter int unsigned Kind = sare_pkg::Priority,
  /// Message classes, from 1.
  parameter int unsigned Classes = 2,
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
  /// The arbiter's pick is served.
  input  logic                      served_i,
  /// The arbiter's pick, one bit.
  input  logic [Inputs-1:0]         pick_i,
  /// Requests for the arbiter.
  output logic [Inputs-1:0]         req_o
);

  if (Classes > 1 && Kind == sare_pkg::Priority) begin : gen_priority
    logic [Classes-1:0] asks;  // classes of requests
    logic [Inputs-1:0]  highest;
    logic               unused;
    assign unused = ^{clk_i, rst_ni, served_i, pick_i};

    always_comb begin
      asks = '0;
      for (int i = 0; i < Inputs; i++) asks |= class_i[i*Classes +: Classes] & {Classes{req_i[i]}};
      highest = req_i;
      for (int c = 0; c < Classes; c++) begin
        if (asks[c]) begin
          for (int i = 0; i < Inputs; i++) highest[i] = req_i[i] & class_i[i*Classes + c];
        end
      end
    end
    assign req_o = highest;
    `SARE_ASSERT(someone_is_left, (req_o != '0) == (req_i != '0))
  end else if (Classes > 1 && Kind == sare_pkg::Weighted) begin : gen_weighted
    logic [Classes*16-1:0]     left_q, left_d;  // what is left to each class in this round
    logic [Classes-1:0]        has_left, winner;
    logic [Inputs*Classes-1:0] of_class;        // the class that counts, one bit
    logic [Inputs-1:0]         open;

    always_comb begin
      of_class = '0;
      for (int i = 0; i < Inputs; i++) begin
        for (int c = 0; c < Classes; c++) begin
          if (class_i[i*Classes + c]) begin
            of_class[i*Classes +: Classes] = '0;
            of_class[i*Classes + c]        = 1'b1;
          end
        end
      end
      for (int c = 0; c < Classes; c++) has_left[c] = left_q[c*16 +: 16] != '0;
      for (int i = 0; i < Inputs; i++) begin
        open[i] = req_i[i] && (of_class[i*Classes +: Classes] & has_left) != '0;
      end
    end
    assign req_o = open == '0 ? req_i : open;

    always_comb begin
      winner = '0;
      for (int i = 0; i < Inputs; i++) winner |= of_class[i*Classes +: Classes] & {Classes{pick_i[i]}};
      left_d = (winner & has_left) == '0 ? Weights : left_q;
      for (int c = 0; c < Classes; c++) begin
        if (winner[c]) left_d[c*16 +: 16] = left_d[c*16 +: 16] - 16'd1;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) left_q <= '0;
      else if (served_i) left_q <= left_d;
    end
    `SARE_ASSERT(someone_is_left, (req_o != '0) == (req_i != '0))
  end else begin : gen_none
    logic unused;
    assign unused = ^{clk_i, rst_ni, class_i, served_i, pick_i};
    assign req_o  = req_i;
  end

endmodule
