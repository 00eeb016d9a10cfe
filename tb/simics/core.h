/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SARE_SIMICS_CORE_H
#define SARE_SIMICS_CORE_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A follower: the connection to Sare's network of a computer that another simulator runs. The simulator sets
 * a time up to which the follower may go (the limit), the network another one (the grant); it goes from event
 * to event up to the earlier of the two. The follower calls libsare_bridge and no simulator: its owner passes
 * frames and times on in both directions. All times are picoseconds since the follower was made. One thread;
 * no global state. */

enum { SARE_FOLLOWER_MAX_HELD = 1 << 20 }; /* largest number of frames that wait, in each direction */

typedef struct sare_follower sare_follower;

typedef struct {
    /* Called when a frame reaches the computer at `now`, the follower's time. `bytes` are valid during the
     * call. */
    void (*deliver)(void* owner, uint64_t now, const uint8_t* bytes, uint32_t length);
    /* Called when the follower has come to the time of sare_follower_report_at(), or to the limit; `now`: the
     * follower's time. */
    void (*report)(void* owner, uint64_t now);
    void* owner; /* passed to both */
} sare_follower_ops;

/* Makes a follower, and attaches its computer to the network at `address` (see sare_bridge_connect). `node`:
 * its node of the network, or SARE_BRIDGE_ANY_NODE; `mac`: 6 bytes, or NULL: learned. Returns NULL if that
 * fails; then `error` (room for SARE_BRIDGE_MAX_TEXT bytes) says why. */
sare_follower* sare_follower_new(const char* address, const char* name, uint32_t node, const uint8_t* mac,
                                 const sare_follower_ops* ops, char* error);

/* Sets the limit to `time`, not below the last one. All frames that leave the computer before `time` must
 * have been told. Returns 0, or -1 if it fails: sare_follower_error() says why. */
int sare_follower_limit(sare_follower* f, uint64_t time);

/* Makes the follower call `report` as soon as it has come to `time`, once; replaces an earlier `time`. */
void sare_follower_report_at(sare_follower* f, uint64_t time);

/* Tells of a frame that leaves the computer at `time`, not before now; of frames of one time, the one with
 * the least key leaves first. Copies the bytes. Returns 0, or -1 if it fails: sare_follower_error() says why.
 */
int sare_follower_frame(sare_follower* f, uint64_t time, uint64_t key, const uint8_t* bytes, uint32_t length);

/* Lets the follower go as far as it may, and waits for the network where it has to. Returns 1 if it has come
 * to the limit; 0 if the network has ended the run; -1 if it failed. After 0 and -1 sare_follower_error()
 * says why. */
int sare_follower_run(sare_follower* f);

/* Returns the follower's time, in ps. */
uint64_t sare_follower_now(const sare_follower* f);
/* Returns the reason why the last call has failed, or the run has ended; "" if neither is so. */
const char* sare_follower_error(const sare_follower* f);

/* Says goodbye to the network, for `reason`, and frees the follower. `f` may be NULL. */
void sare_follower_free(sare_follower* f, const char* reason);

#ifdef __cplusplus
}
#endif
#endif
