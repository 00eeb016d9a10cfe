// Round robin: the winner that is taken comes last next time.
module vcr_arbiter #(parameter N = 4) (
    input              clk, rst_n,
    input  [N-1:0]     req,
    input              taken,
    output [N-1:0]     gnt);

    reg  [N-1:0]   first;                     // one-hot: the one with the highest priority
    wire [2*N-1:0] twice = {req, req} & ~({req, req} - {{N{1'b0}}, first});
    assign gnt = twice[2*N-1:N] | twice[N-1:0];

    always @(posedge clk or negedge rst_n)
        if (!rst_n) first <= {{N-1{1'b0}}, 1'b1};
        else if (taken) first <= {gnt[N-2:0], gnt[N-1]};

    always @(posedge clk) first_is_one: assert ($onehot(first));
endmodule
