/* SPDX-License-Identifier: Apache-2.0
 * The follower of a computer in Simics: between its leader, which has connected it to the computer's agent,
 * and a network in Sare. README.md */
#include "tb/simics/core.h"

#include <errno.h>
#include <poll.h>
#include <sare_bridge.h>
#include <simics/libfollower.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    simics_follower_t* simics;
    sare_follower* core;
    int has_left, failed;
} both;

static follower_time_t to_simics(uint64_t ps) {
    return follower_time_from_ps(0, ps);
}

static uint64_t from_simics(follower_time_t t) {
    return follower_time_as_ps_lo(t);
}

/* ---- what the network says ---- */

static void deliver(void* owner, uint64_t now, const uint8_t* bytes, uint32_t length) {
    both* b = owner;
    simics_follower_send_message(b->simics, to_simics(now), bytes, length);
}

static void report(void* owner, uint64_t now) {
    both* b = owner;
    simics_follower_report(b->simics, to_simics(now));
}

/* ---- what Simics says ---- */

static void proceed_to(void* owner, follower_time_t limit) {
    both* b = owner;
    b->failed |= sare_follower_limit(b->core, from_simics(limit)) != 0;
}

static void report_at(void* owner, follower_time_t when) {
    both* b = owner;
    sare_follower_report_at(b->core, from_simics(when));
}

static void accept_message(void* owner, follower_time_t when, uint64_t key, const uint8_t* bytes,
                           int length) {
    both* b = owner;
    b->failed |= sare_follower_frame(b->core, from_simics(when), key, bytes, (uint32_t)length) != 0;
}

static void accept_async_message(void* owner, const uint8_t* bytes, int length) {
    (void)owner, (void)bytes, (void)length;
}

static void bye(void* owner) {
    ((both*)owner)->has_left = 1;
}

/* ---- the way between ---- */

/* Reads what Simics has said; waits for it unless there is something. */
static int hear_simics(both* b) {
    static const simics_follower_ops_t ops = {.proceed_to = proceed_to,
                                              .report_at = report_at,
                                              .accept_message = accept_message,
                                              .accept_async_message = accept_async_message,
                                              .bye = bye};
    struct pollfd one = {simics_follower_descriptor(b->simics), POLLIN, 0};
    for (int wait = -1; !b->has_left && !b->failed; wait = 0) {
        int got = poll(&one, 1, wait);
        if (got == 0) return 0;
        if (got < 0 && errno != EINTR) return -1;
        if (got > 0) handle_simics_message(b->simics, &ops, b);
    }
    return b->failed ? -1 : 0;
}

/* Until Simics or the network ends: an exit status. */
static int live(both* b) {
    for (;;) {
        if (hear_simics(b) != 0) break;
        if (b->has_left) return 0;
        int status = sare_follower_run(b->core);
        if (status < 0) break;
        if (status == 0) return fprintf(stderr, "sare-follower: %s\n", sare_follower_error(b->core)), 0;
    }
    return fprintf(stderr, "sare-follower: %s\n", sare_follower_error(b->core)), 1;
}

static int read_mac(const char* text, uint8_t* mac) {
    unsigned n[6];
    char more;
    if (sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x%c", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &more) != 6)
        return -1;
    for (int i = 0; i < 6; ++i) mac[i] = (uint8_t)n[i];
    return 0;
}

static int usage(void) {
    return fprintf(stderr,
                   "usage: sare-follower SIMICS_HOST SIMICS_PORT NETWORK NODE [MAC]\n"
                   "  NETWORK: unix:PATH or tcp:HOST:PORT; NODE: of the network; MAC: of the computer\n"),
           2;
}

int main(int count, char** words) {
    uint8_t mac[6];
    char* end = NULL;
    if (count != 5 && count != 6) return usage();
    long port = strtol(words[2], &end, 10);
    if (*end != 0 || port < 1 || port > 65535) return usage();
    unsigned long node = strtoul(words[4], &end, 10);
    if (*end != 0 || words[4][0] < '0' || words[4][0] > '9' || node >= SARE_BRIDGE_ANY_NODE) return usage();
    if (count == 6 && read_mac(words[5], mac) != 0) return usage();

    both b = {new_simics_follower(), NULL, 0, 0};
    char error[SARE_BRIDGE_MAX_TEXT] = "", name[32];
    snprintf(name, sizeof name, "simics-%lu", node);
    const sare_follower_ops ops = {deliver, report, &b};
    int status = 1;
    if (!simics_follower_connect(b.simics, words[1], (int)port)) {
        fprintf(stderr, "sare-follower: no leader of Simics at %s:%s\n", words[1], words[2]);
    } else if ((b.core = sare_follower_new(words[3], name, (uint32_t)node, count == 6 ? mac : NULL, &ops,
                                           error)) == NULL) {
        fprintf(stderr, "sare-follower: %s\n", error);
    } else {
        status = live(&b);
    }
    sare_follower_free(b.core, b.has_left ? "Simics has quit" : "failed");
    destroy_simics_follower(b.simics);
    return status;
}
