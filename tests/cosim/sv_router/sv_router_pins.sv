// A module whose ports are interfaces is no top for Verilator: plain pins around it.
module sv_router_pins (
    input  logic clock, reset,
    input  logic [2:0] in_valid, in_vc,
    input  logic [2:0][63:0] in_data,
    output logic [2:0] in_ready,
    output logic [2:0] out_valid, out_vc,
    output logic [2:0][63:0] out_data,
    input  logic [2:0] out_ready
);
  link in[3] (), out[3] ();
  for (genvar p = 0; p < 3; p++) begin : pins
    assign in[p].valid  = in_valid[p];
    assign in[p].vc     = in_vc[p];
    assign in[p].data   = in_data[p];
    assign in_ready[p]  = in[p].ready;
    assign out_valid[p] = out[p].valid;
    assign out_vc[p]    = out[p].vc;
    assign out_data[p]  = out[p].data;
    assign out[p].ready = out_ready[p];
  end
  sv_router router (.clock, .reset, .in, .out);
endmodule
