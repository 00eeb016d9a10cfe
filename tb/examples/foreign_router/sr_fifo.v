// A queue of four words whose oldest one is at dout.
module sr_fifo (CK, RESET, push, din, pop, dout, empty, full);
    parameter W = 8;
    input          CK, RESET, push, pop;
    input  [W-1:0] din;
    output [W-1:0] dout;
    output         empty, full;

    reg [W-1:0] mem [0:3];
    reg [1:0]   wr, rd;
    reg [2:0]   used;

    assign dout  = mem[rd];
    assign empty = used == 3'd0;
    assign full  = used == 3'd4;

    always @(posedge CK)
        if (RESET) begin
            wr   <= 2'd0;
            rd   <= 2'd0;
            used <= 3'd0;
        end else begin
            if (push) begin
                mem[wr] <= din;
                wr      <= wr + 2'd1;
            end
            if (pop) rd <= rd + 2'd1;
            used <= used + {2'd0, push} - {2'd0, pop};
        end
endmodule
