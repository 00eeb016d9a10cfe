`define STEP 8'd7
