// Router of a mesh: 5 ports (0 east, 1 west, 2 north, 3 south, 4 local), 4 virtual channels of 4 flits each, credits.
// Bit 0 is the leftmost one everywhere. A flit is
//   0 last of its packet (the one after it is a first one), 1:2 virtual channel, 12:63 payload,
//   and in first flits 3:5 the port by which it leaves *this* router, 6:11 destination.
// Who sends a packet here has looked up 3:5; this router does the same for the next one.
module vc_router #(parameter ROUTER_ID = 0, COLS = 4) (
    input          clk, rst_n,
    input  [0:4]   i_val,
    input  [0:319] i_flit,
    output [0:4]   i_crd_val,                 // a place is free again ...
    output [0:9]   i_crd_vc,                  // ... of this VC
    output [0:4]   o_val,
    output [0:319] o_flit,
    input  [0:4]   o_crd_val,
    input  [0:9]   o_crd_vc);

    wire [0:19]  has_credit, is_free;
    wire [0:24]  wants, granted;              // [5*input + output], [5*output + input]
    wire [0:319] leaving;
    genvar       i, o;
    generate
        for (i = 0; i < 5; i = i + 1) begin : in
            vcr_input #(.ROUTER_ID(ROUTER_ID), .COLS(COLS)) port (
                .clk(clk), .rst_n(rst_n), .val(i_val[i]), .flit(i_flit[64*i +: 64]), .crd_val(i_crd_val[i]),
                .crd_vc(i_crd_vc[2*i +: 2]), .has_credit(has_credit), .is_free(is_free), .wants(wants[5*i +: 5]),
                .leaving(leaving[64*i +: 64]),
                .granted(granted[i] | granted[5+i] | granted[10+i] | granted[15+i] | granted[20+i]));
        end
        for (o = 0; o < 5; o = o + 1) begin : out
            vcr_output port (
                .clk(clk), .rst_n(rst_n), .wanted({wants[o], wants[5+o], wants[10+o], wants[15+o], wants[20+o]}),
                .leaving(leaving), .granted(granted[5*o +: 5]), .val(o_val[o]), .flit(o_flit[64*o +: 64]),
                .crd_val(o_crd_val[o]), .crd_vc(o_crd_vc[2*o +: 2]), .has_credit(has_credit[4*o +: 4]),
                .is_free(is_free[4*o +: 4]));
        end
    endgenerate
endmodule
