`include "parameters.v"
module adder #(parameter [7:0] ID = 0) (input CK, input [7:0] a, output reg [7:0] b);
`ifdef LOOP
    wire odd = a[2] & ~odd;
    always @(posedge CK) if (odd) b <= 0; else
`else
    always @(posedge CK)
`endif
`ifdef TWICE
        b <= a + 8'd2 * `STEP + ID;
`else
        b <= a + `STEP + ID;
`endif
endmodule
