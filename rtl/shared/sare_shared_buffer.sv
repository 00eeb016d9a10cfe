// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// The buffer of an input port whose VCs share its places: one memory, in which the flits of each VC are a list, linked by
/// the places' pointers, and so are the places that are free again. One flit comes in a cycle and one leaves. What leaves
/// in the cycle in which it comes takes no place.
module sare_shared_buffer #(
  /// Virtual channels, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// Places of all VCs, 2 to 1024.
  parameter int unsigned Places = 32,
  /// Bits of an entry, from 1.
  parameter int unsigned Width = 32,
  /// See sare_vc_buffer.
  parameter bit ClockGating = 0,
  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Places)
) (
  /// Clock.
  input  logic                      clk_i,
  /// Asynchronous reset, active low.
  input  logic                      rst_ni,
  /// An entry comes in for this VC; at most one bit. The sender knows by its credits that there is a place.
  input  logic [Vcs-1:0]            push_i,
  /// That entry.
  input  logic [Width-1:0]          data_i,
  /// The front of this VC leaves; at most one bit.
  input  logic [Vcs-1:0]            pop_i,
  /// By VC: there is an entry in memory.
  output logic [Vcs-1:0]            stored_valid_o,
  /// By VC: the first one there. Does not depend on data_i.
  output logic [Vcs*Width-1:0]      stored_o,
  /// By VC: place of the front; without one in memory, that of what comes in.
  output logic [Vcs*PlaceWidth-1:0] read_place_o,
  /// Place of what comes in.
  output logic [PlaceWidth-1:0]     write_place_o
);

  logic [Width-1:0]          mem_q [Places];
  logic [PlaceWidth-1:0]     next_q [Places];  // of an entry that is not its VC's last, of a place that is free again
  logic [Vcs-1:0]            valid_q, stores, frees;
  logic [Vcs*PlaceWidth-1:0] heads, tails;
  logic [PlaceWidth-1:0]     freed, tail, after_free;

  // Places that are free: first those that no entry has had, one after the other, then those given back, the last one first.
  logic [PlaceWidth-1:0] fresh_q, free_q;
  logic                  any_fresh_q;

  assign write_place_o  = any_fresh_q ? fresh_q : free_q;
  assign after_free     = next_q[free_q];
  assign stored_valid_o = valid_q;

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [PlaceWidth-1:0] head_q, tail_q, after;
    logic                  last;  // the front is the VC's last entry in memory

    assign last      = head_q == tail_q;
    assign after     = next_q[head_q];
    assign stores[v] = push_i[v] & (valid_q[v] | ~pop_i[v]);
    assign frees[v]  = pop_i[v] & valid_q[v];

    assign heads[v*PlaceWidth +: PlaceWidth]        = head_q;
    assign tails[v*PlaceWidth +: PlaceWidth]        = tail_q;
    assign stored_o[v*Width +: Width]               = mem_q[head_q];
    assign read_place_o[v*PlaceWidth +: PlaceWidth] = valid_q[v] ? head_q : write_place_o;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q[v] <= 1'b0;
      else valid_q[v] <= stores[v] | (valid_q[v] & ~(pop_i[v] & last));
    end
    always_ff @(posedge clk_i) begin
      if (pop_i[v] && !last) head_q <= after;
      else if (push_i[v] && (pop_i[v] || !valid_q[v])) head_q <= write_place_o;
      if (push_i[v]) tail_q <= write_place_o;
    end
  end

  sare_onehot_mux #(.Inputs(Vcs), .Width(PlaceWidth)) u_freed (.sel_i(pop_i), .data_i(heads), .data_o(freed));
  sare_onehot_mux #(.Inputs(Vcs), .Width(PlaceWidth)) u_tail (.sel_i(push_i), .data_i(tails), .data_o(tail));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q     <= '0;
      any_fresh_q <= 1'b1;
    end else if (stores != '0 && any_fresh_q) begin
      fresh_q     <= fresh_q + 1'b1;
      any_fresh_q <= fresh_q != PlaceWidth'(Places - 1);
    end
  end
  // A place that is given back is no VC's last any more, so its pointer is the later of two.
  always_ff @(posedge clk_i) begin
    if ((stores & valid_q) != '0) next_q[tail] <= write_place_o;
    if (frees != '0) begin
      next_q[freed] <= stores != '0 && !any_fresh_q ? after_free : free_q;
      free_q        <= freed;
    end else if (stores != '0 && !any_fresh_q) begin
      free_q <= after_free;
    end
  end

  if (ClockGating) begin : gen_gated
    for (genvar k = 0; k < Places; k++) begin : gen_entry
      sare_load_register #(.Width(Width), .ClockGating(1)) u_word (
        .clk_i, .load_i(push_i != '0 && write_place_o == PlaceWidth'(k)), .data_i, .data_o(mem_q[k])
      );
    end
  end else begin : gen_enabled
    always_ff @(posedge clk_i) begin
      if (push_i != '0) mem_q[write_place_o] <= data_i;
    end
  end

`ifndef SYNTHESIS
  localparam int unsigned CountWidth = $clog2(Places + 1);
  logic [CountWidth-1:0] held_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else held_q <= held_q + CountWidth'(stores != '0) - CountWidth'(frees != '0);
  end
`endif
  `SARE_ASSERT(no_overflow, stores == '0 || held_q != CountWidth'(Places))
  `SARE_ASSERT(no_underflow, (pop_i & ~(valid_q | push_i)) == '0)
  `SARE_ASSERT(one_comes, (push_i & (push_i - 1'b1)) == '0)
  `SARE_ASSERT(one_leaves, (pop_i & (pop_i - 1'b1)) == '0)

endmodule
