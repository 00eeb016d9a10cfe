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

#define SARE_BRIDGE_ANY_NODE 0xffffffffu  /* the network gives the next free node */
#define SARE_BRIDGE_BROADCAST 0xffffffffu /* destination of meta-information: all bridged nodes */

/* Bounds of the protocol: more than this is refused on either side. */
#define SARE_BRIDGE_MAX_NODES 1024  /* of a session */
#define SARE_BRIDGE_MAX_MACS 16     /* of a node */
#define SARE_BRIDGE_MAX_NAME 64     /* bytes, with the 0 at the end */
#define SARE_BRIDGE_MAX_FRAME 65535 /* bytes; the network may want less: welcome.max_frame */
#define SARE_BRIDGE_MAX_TEXT 256    /* bytes of a reason or an error, with the 0 at the end */
#define SARE_BRIDGE_MAX_STATS 65536 /* bytes */

typedef struct sare_bridge sare_bridge;

/* A computer of the session. */
typedef struct {
    uint32_t node; /* of the network, or SARE_BRIDGE_ANY_NODE */
    uint32_t macs; /* how many are given below; 0: learned from what it sends */
    uint8_t mac[SARE_BRIDGE_MAX_MACS][6];
} sare_bridge_node;

typedef struct {
    const char* name;              /* what reports and errors call the session; NULL: "peer" */
    const sare_bridge_node* nodes; /* 1 to SARE_BRIDGE_MAX_NODES; the caller's, copied */
    uint32_t node_count;
    double clock_hz;    /* of a processor, for reports; 0: not told */
    uint64_t quantum;   /* ps between stops that it needs; 0: what the network says */
    uint64_t lookahead; /* ps that the network may add to the way of every frame to these nodes,
                           as the cable to them; 0: what the network's configuration says */
    double timeout_s;   /* host seconds to wait for anything; 0: 60; negative: for ever */
} sare_bridge_hello;

typedef struct {
    uint32_t nodes;      /* of the whole network */
    uint32_t first_node; /* the network's number of the session's first node */
    uint64_t quantum;    /* ps */
    uint64_t lookahead;  /* ps: the latency of the cable to the session's nodes */
    uint64_t start;      /* ps: the time at which the session begins */
    uint32_t max_frame;  /* bytes */
} sare_bridge_welcome;

/* A frame that has arrived. */
typedef struct {
    uint64_t time;        /* ps, when it is to reach the computer: not before the last DONE */
    uint32_t node;        /* which of the session's, by its place in hello.nodes */
    uint32_t source;      /* node of the network */
    uint64_t id;          /* of meta-information, as its sender chose it */
    uint32_t length;      /* bytes of the frame */
    const uint8_t* bytes; /* NULL for meta-information; good until the next call */
} sare_bridge_frame;

/* Connects to "unix:PATH" or "tcp:HOST:PORT" and shakes hands. The address is tried again until timeout_s, so
 * that either side may be started first. NULL if it fails: then `error` (SARE_BRIDGE_MAX_TEXT bytes) says
 * why. */
sare_bridge* sare_bridge_connect(const char* address, const sare_bridge_hello* hello,
                                 sare_bridge_welcome* welcome, char* error);

/* The network's number of the session's node `place` (place in hello.nodes). */
uint32_t sare_bridge_node_number(const sare_bridge* b, uint32_t place);

/* Waits for the next grant. 1: the session may run up to *grant, and the frames for that time are there to be
 * received; 0: the network has ended the session, sare_bridge_error() says why; -1: it failed. */
int sare_bridge_wait(sare_bridge* b, uint64_t* grant);

/* The next of the frames that came with the last grant, in order of time: 1; or 0, no more. */
int sare_bridge_receive(sare_bridge* b, sare_bridge_frame* frame);

/* A frame leaves node `node` (place in hello.nodes) at `time`: not before the last DONE, before the grant,
 * and in order of time for each node. 0, or -1. */
int sare_bridge_send(sare_bridge* b, uint64_t time, uint32_t node, const void* bytes, uint32_t length);

/* The same without its bytes: `destination` is a node of the network, or SARE_BRIDGE_BROADCAST. */
int sare_bridge_send_meta(sare_bridge* b, uint64_t time, uint32_t node, uint32_t destination, uint32_t length,
                          uint64_t id);

/* The session's computers have run up to `time`: the last grant. 0, or -1. */
int sare_bridge_done(sare_bridge* b, uint64_t time);

/* Marks the region of interest: what is counted from the first begin to the last end is reported apart. */
int sare_bridge_roi_begin(sare_bridge* b, uint64_t time);
int sare_bridge_roi_end(sare_bridge* b, uint64_t time);

/* The network's figures so far, as JSON: good until the next call; NULL if it failed. Between a grant and its
 * DONE. */
const char* sare_bridge_stats(sare_bridge* b);

/* What failed last, or why the network ended the session; "" if nothing has. */
const char* sare_bridge_error(const sare_bridge* b);

/* Says goodbye with a reason (NULL: none), closes and frees. `b` may be NULL. */
void sare_bridge_close(sare_bridge* b, const char* reason);

#ifdef __cplusplus
}
#endif
#endif
