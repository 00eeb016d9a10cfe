/* SPDX-License-Identifier: Apache-2.0
 *
 * C interface to the bench of a router of one's own at its pins (docs/cosim-router.md), for test benches that
 * drive the RTL themselves: SystemVerilog by DPI-C (sare_dpi_pkg.sv), Python by ctypes, C. Sare says which
 * values the input pins get in each cycle, is told the values of the output pins, and checks them by its
 * scoreboard. The facts about the router come from its library.
 */
#ifndef SARE_DPI_H
#define SARE_DPI_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a bench for `file`. A case (plugin_case, such as those in DIR/shrunk) ignores the other arguments. Of
 * an experiment or a library (.so), tests router number `router` under random traffic of `cycles` cycles by
 * `seed`. Returns the bench, for sare_dpi_close(); null on failure, sare_dpi_error() then says why. */
void* sare_dpi_open(const char* file, uint32_t router, uint32_t seed, uint32_t cycles);
/* Returns the text of the last failure of sare_dpi_open() or sare_dpi_build() in this thread; "": none. */
const char* sare_dpi_error(void);
/* Returns the number of ports of the router. sare_dpi_route() returns the output port to node `node`, to fill
 * the router's table; ~0 if there is no such node, or no table of one port for each destination. */
uint32_t sare_dpi_ports(void* bench);
uint32_t sare_dpi_route(void* bench, uint32_t node);
/* Goes to the next step, and returns what the caller must do in it. 1: set all input pins, let outputs
 * settle, tell Sare all output pins, make a clock edge. 2: set and tell only the flow control pins, make no
 * edge (for a router with stable_offer and several VCs). 0: nothing, the run is over. The router must have
 * been reset before the first step. */
int32_t sare_dpi_next(void* bench);
/* Gets the flit for input port `port`, with the fields of pin_flit in cosim/pins/pin_adapter.h. Returns 1 if
 * there is a flit; 0 if there is none. `data`: room for 32 words (1024 bits), lowest word first. */
uint32_t sare_dpi_drive(void* bench, uint32_t port, uint32_t* head, uint32_t* tail, uint32_t* vc,
                        uint32_t* source, uint32_t* destination, uint32_t* length, uint32_t* out_port,
                        uint32_t* out_vcs, uint32_t* data);
/* Returns the mask of VCs, VC 0 in bit 0, that the flow control pins of output port `port` get
 * (pin_adapter::drive_back()). */
uint32_t sare_dpi_drive_back(void* bench, uint32_t port);
/* Tells Sare of a flit at output port `port`; sare_dpi_read_back() of the mask of VCs at the flow control
 * pins of input port `port`. A port that is not told of in a step has no flit, and the mask 0. `data`: 32
 * words. */
void sare_dpi_read(void* bench, uint32_t port, uint32_t head, uint32_t tail, uint32_t vc,
                   const uint32_t* data);
void sare_dpi_read_back(void* bench, uint32_t port, uint32_t vcs);
/* Returns the first error that the run has found, in a line, once sare_dpi_next() has returned 0; "": none.
 * Valid until sare_dpi_close(). */
const char* sare_dpi_verdict(void* bench);
/* Ends the run, and frees the bench. */
void sare_dpi_close(void* bench);
/* Builds the module in the SystemVerilog file `top` by Verilator, for sare_replay.py. Returns the path of its
 * library in the cache of RTL, valid until the next call in this thread; null on failure, sare_dpi_error()
 * then says why. */
const char* sare_dpi_build(const char* top);

#ifdef __cplusplus
}
#endif
#endif
