/* SPDX-License-Identifier: Apache-2.0
 *
 * C interface to the bench of a router of one's own at its pins (docs/cosim-router.md), for test benches that
 * drive the RTL themselves: SystemVerilog by DPI-C (sare_dpi_pkg.sv), Python by ctypes, C. Sare says what
 * goes to the input pins of each cycle, is told what the output pins show, and checks that by its scoreboard.
 * Facts come from the router's library.
 */
#ifndef SARE_DPI_H
#define SARE_DPI_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a case (plugin_case, such as DIR/shrunk has), which ignores the other arguments; or router `router`
 * of an experiment's or a library's network, under random traffic of `cycles` cycles. Null: sare_dpi_error()
 * says why. */
void* sare_dpi_open(const char* file, uint32_t router, uint32_t seed, uint32_t cycles);
const char* sare_dpi_error(void);
/* Number of ports; and the port to a node, ~0 if there is no such table: for the tables of the router. */
uint32_t sare_dpi_ports(void* bench);
uint32_t sare_dpi_route(void* bench, uint32_t node);
/* Goes to the next step. 1: set all input pins, let outputs settle, tell all of them, make a clock edge. 2:
 * the same for flow control pins alone, and no edge (a router with stable_offer and several VCs). 0: the run
 * is over. The router must have been reset before the first step. */
int32_t sare_dpi_next(void* bench);
/* Flit for an input port, as pin_flit of cosim/pins/pin_adapter.h; 0: no flit. `data`: 1024 bits, lowest word
 * first. */
uint32_t sare_dpi_drive(void* bench, uint32_t port, uint32_t* head, uint32_t* tail, uint32_t* vc,
                        uint32_t* source, uint32_t* destination, uint32_t* length, uint32_t* out_port,
                        uint32_t* out_vcs, uint32_t* data);
/* VCs, as a mask, that the flow control pins of an output port get. */
uint32_t sare_dpi_drive_back(void* bench, uint32_t port);
/* Tells of a flit at an output port, and of the VCs, as a mask, at the flow control pins of an input port.
 * What is not told is no flit, and 0. */
void sare_dpi_read(void* bench, uint32_t port, uint32_t head, uint32_t tail, uint32_t vc,
                   const uint32_t* data);
void sare_dpi_read_back(void* bench, uint32_t port, uint32_t vcs);
/* What is wrong, in a line; "": nothing so far. */
const char* sare_dpi_verdict(void* bench);
void sare_dpi_close(void* bench);
/* Builds a module by Verilator, for sare_replay.py: its library, kept in the cache of RTL. Null:
 * sare_dpi_error(). */
const char* sare_dpi_build(const char* top);

#ifdef __cplusplus
}
#endif
#endif
