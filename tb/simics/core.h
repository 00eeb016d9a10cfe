/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SARE_SIMICS_CORE_H
#define SARE_SIMICS_CORE_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A computer that another simulator runs and that hangs on Sare's network, as that simulator's follower:
 * there is a time up to which the simulator lets it go (the limit) and one up to which the network does (the
 * grant), and it goes from event to event up to the earlier of the two. It knows of libsare_bridge and of no
 * simulator: its owner tells it what the simulator says and gets what it wants to say. All times are
 * picoseconds since it was made. One thread; no global state. */

enum { SARE_FOLLOWER_MAX_HELD = 1 << 20 }; /* frames that wait at a time, each way */

typedef struct sare_follower sare_follower;

typedef struct {
    /* A frame reaches the computer, now. */
    void (*deliver)(void* owner, uint64_t now, const uint8_t* bytes, uint32_t length);
    /* It has come to where the simulator wanted to hear of it, or to the limit. */
    void (*report)(void* owner, uint64_t now);
    void* owner;
} sare_follower_ops;

/* Attaches a computer to the network at `address` (see sare_bridge_connect): `node` of the network, or
 * SARE_BRIDGE_ANY_NODE; `mac` of 6 bytes, or NULL: learned. NULL if it fails; then `error`
 * (SARE_BRIDGE_MAX_TEXT bytes) says why. */
sare_follower* sare_follower_new(const char* address, const char* name, uint32_t node, const uint8_t* mac,
                                 const sare_follower_ops* ops, char* error);

/* The simulator lets it go up to `time`; all frames that leave before then have been told. 0, or -1. */
int sare_follower_limit(sare_follower* f, uint64_t time);

/* The simulator wants to hear of it as soon as it has come to `time`. */
void sare_follower_report_at(sare_follower* f, uint64_t time);

/* A frame leaves the computer at `time`, not before now; of those of one time, first the one with the least
 * key. The bytes are copied. 0, or -1. */
int sare_follower_frame(sare_follower* f, uint64_t time, uint64_t key, const uint8_t* bytes, uint32_t length);

/* Goes as far as it may, waits for the network where it has to. 1: it has come to the limit; 0: the network
 * has ended the run, sare_follower_error() says why; -1: it failed. */
int sare_follower_run(sare_follower* f);

uint64_t sare_follower_now(const sare_follower* f);
const char* sare_follower_error(const sare_follower* f);

/* Says goodbye, and frees. `f` may be NULL. */
void sare_follower_free(sare_follower* f, const char* reason);

#ifdef __cplusplus
}
#endif
#endif
