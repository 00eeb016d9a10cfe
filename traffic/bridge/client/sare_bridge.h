/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#ifndef SARE_BRIDGE_H
#define SARE_BRIDGE_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a simulator of computers attaches to a network that Sare simulates (workload `bridge`, docs/bridge.md).
 *
 *   sare_bridge* b = sare_bridge_connect("unix:/tmp/net.sock", &hello, &welcome, error);
 *   while (sare_bridge_wait(b, &grant) == 1) {
 *       while (sare_bridge_receive(b, &frame)) ...    the frames that arrive before `grant`, each at
 * frame.time
 *       ...                                           simulate up to `grant`; sare_bridge_send() what leaves
 *       sare_bridge_done(b, grant);
 *   }
 *   sare_bridge_close(b, "finished");
 *
 * All times are picoseconds since the start of the simulation. One thread at a time may use a session; there
 * is no global state, and nothing but the C library is needed. */

#define SARE_BRIDGE_VERSION 1

#define SARE_BRIDGE_ANY_NODE 0xffffffffu  /* the network gives the lowest free node */
#define SARE_BRIDGE_BROADCAST 0xffffffffu /* destination of meta-information: all nodes with a computer */

/* Limits of the protocol: either side refuses more. */
#define SARE_BRIDGE_MAX_NODES 1024  /* largest number of computers of a session */
#define SARE_BRIDGE_MAX_MACS 16     /* largest number of addresses of a computer */
#define SARE_BRIDGE_MAX_NAME 64     /* bytes of a session's name, with the 0 at the end */
#define SARE_BRIDGE_MAX_FRAME 65535 /* bytes of a frame; the network may allow less: welcome.max_frame */
#define SARE_BRIDGE_MAX_TEXT 256    /* bytes of a reason or an error, with the 0 at the end */

/* A session: a connection to the network with one or several computers. */
typedef struct sare_bridge sare_bridge;

/* A computer of the session. */
typedef struct {
    uint32_t node; /* number of the computer's node in the network, or SARE_BRIDGE_ANY_NODE */
    uint32_t macs; /* number of addresses in mac; 0: learned from the frames that the computer sends */
    uint8_t mac[SARE_BRIDGE_MAX_MACS][6];
} sare_bridge_node;

/* Properties that a session tells the network when it joins. */
typedef struct {
    const char* name;              /* name of the session in reports and errors; NULL: "peer" */
    const sare_bridge_node* nodes; /* computers of the session, which are copied */
    uint32_t node_count;           /* number of nodes, 1 to SARE_BRIDGE_MAX_NODES */
    double clock_hz;               /* clock frequency of a processor in Hz, for reports; 0: not told */
    uint64_t quantum;              /* ps of a slice that the session needs; 0: any */
    uint64_t lookahead;            /* ps of the cable between these nodes and the network, in each direction;
                                      0: the latency that the network's configuration has */
    double timeout_s;              /* seconds of real time that a call waits; 0: 60; negative: for ever */
} sare_bridge_hello;

/* Terms of the run, which the network tells a session that has joined. */
typedef struct {
    uint32_t nodes;      /* number of nodes of the whole network */
    uint32_t first_node; /* the network's number of the session's first node */
    uint64_t quantum;    /* ps of a slice, from one grant to the next */
    uint64_t lookahead;  /* ps: the latency of the cable to the session's nodes */
    uint64_t start;      /* ps: the time at which the session's computers begin */
    uint32_t max_frame;  /* bytes of the longest frame */
} sare_bridge_welcome;

/* A frame that has arrived. */
typedef struct {
    uint64_t time;        /* ps at which the frame is to reach the computer: not before the last DONE */
    uint32_t node;        /* computer that the frame reaches, by its place in hello.nodes */
    uint32_t source;      /* network's number of the node that has sent the frame */
    uint64_t id;          /* number that its sender chose, only of meta-information */
    uint32_t length;      /* bytes of the frame */
    const uint8_t* bytes; /* NULL for meta-information; valid until the next call */
} sare_bridge_frame;

/* Connects to "unix:PATH" or "tcp:HOST:PORT" and shakes hands. The address is tried again until timeout_s, so
 * that either side may be started first. Returns NULL if it fails: then `error` (SARE_BRIDGE_MAX_TEXT bytes)
 * says why. */
sare_bridge* sare_bridge_connect(const char* address, const sare_bridge_hello* hello,
                                 sare_bridge_welcome* welcome, char* error);

/* Returns the network's number of the session's node `place` (place in hello.nodes); SARE_BRIDGE_ANY_NODE if
 * there is no such node. */
uint32_t sare_bridge_node_number(const sare_bridge* b, uint32_t place);

/* Waits for the next grant. Returns 1 if the session may run up to *grant, and the frames for that time are
 * there to be received; 0 if the network has ended the session; -1 if it failed. Unless 1,
 * sare_bridge_error() says why. */
int sare_bridge_wait(sare_bridge* b, uint64_t* grant);

/* Stores the next of the frames that came with the last grant, in order of time, in *frame. Returns 1, or 0
 * if there are no more. */
int sare_bridge_receive(sare_bridge* b, sare_bridge_frame* frame);

/* Sends a frame of `length` bytes, 14 to welcome.max_frame, that leaves node `node` (place in hello.nodes) at
 * `time`: at the last DONE or later, earlier than the last grant, and in order of time for each node. Returns
 * 0, or -1 if it failed. Times are not checked here: the network refuses wrong ones. */
int sare_bridge_send(sare_bridge* b, uint64_t time, uint32_t node, const void* bytes, uint32_t length);

/* Sends a frame as meta-information, without its bytes, under the conditions of sare_bridge_send().
 * `destination`: a node of the network, or SARE_BRIDGE_BROADCAST; `id`: any number, for the receiver. Returns
 * 0, or -1 if it failed. */
int sare_bridge_send_meta(sare_bridge* b, uint64_t time, uint32_t node, uint32_t destination, uint32_t length,
                          uint64_t id);

/* Tells that the session's computers have run up to `time`, the last grant, and sends what waits. Returns 0,
 * or -1 if it failed. */
int sare_bridge_done(sare_bridge* b, uint64_t time);

/* Begins the region of interest, whose counts are reported apart; the first begin counts. Returns 0, or -1 if
 * it failed. */
int sare_bridge_roi_begin(sare_bridge* b, uint64_t time);
/* Ends the region of interest; the last end counts. Returns 0, or -1 if it failed. */
int sare_bridge_roi_end(sare_bridge* b, uint64_t time);

/* Returns the network's figures so far, as JSON, valid until the next call; NULL if it failed. Call between a
 * grant and its DONE. */
const char* sare_bridge_stats(sare_bridge* b);

/* Returns what failed last, or why the network ended the session; "" if nothing has. */
const char* sare_bridge_error(const sare_bridge* b);

/* Says goodbye with a reason (NULL: none), closes the connection and frees `b`, which may be NULL. */
void sare_bridge_close(sare_bridge* b, const char* reason);

#ifdef __cplusplus
}
#endif
#endif
