/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "node.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "qemu72.h"
#include "turns.h"

enum { ps_per_ns = 1000 };

/* A frame on its way to the guest. */
typedef struct arrival {
    struct arrival* next;
    int64_t time; /* ns of the guest */
    uint32_t length;
    uint8_t bytes[];
} arrival;

struct node {
    sare_bridge* bridge; /* NULL after the goodbye */
    sare_bridge_welcome welcome;
    int64_t boot;
    uint64_t grant; /* ps of the network; 0: none yet */
    uint64_t sent;  /* ps, when the last frame was sent */
    QEMUTimer timer;
    QEMUTimer anchor;
    NetClientInfo info;
    NetClientState* cable;
    arrival* first;
    arrival** end;
    struct {
        uint64_t out, in, early, refused, stops;
        uint64_t hash;   /* of all frames: direction, time, length, bytes */
        uint64_t latest; /* ps past a stop that the guest has run at most */
    } told;
};

/* What the client has of us is at its end, behind QEMU's own part. */
static node** owner(NetClientState* client) {
    return (node**)((char*)client + NET_CLIENT_BYTES) - 1;
}

static uint64_t network_time(const node* n, int64_t guest) {
    return n->welcome.start + (uint64_t)(guest - n->boot) * ps_per_ns;
}

/* The first ns of the guest that is not before. */
static int64_t guest_time(const node* n, uint64_t network) {
    return n->boot + (int64_t)((network - n->welcome.start + ps_per_ns - 1) / ps_per_ns);
}

static void fail(node* n) {
    fprintf(stderr, "sare: node %" PRIu32 ": %s\n", n->welcome.first_node, sare_bridge_error(n->bridge));
    /* No way back to the main loop: this thread has its lock, and the guest must not go on. */
    _exit(1);
}

static void hash(node* n, const void* data, size_t length) {
    const uint8_t* bytes = data;
    for (size_t i = 0; i < length; ++i) n->told.hash = (n->told.hash ^ bytes[i]) * 0x100000001b3;
}

static void hash_frame(node* n, char direction, uint64_t time, const uint8_t* bytes, uint32_t length) {
    hash(n, &direction, sizeof direction);
    hash(n, &time, sizeof time);
    hash(n, &length, sizeof length);
    hash(n, bytes, length);
}

/* An instruction that has begun before a stop ends behind it: what it sends leaves in the last ps before. */
static uint64_t time_of_sending(node* n) {
    uint64_t time = network_time(n, qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL));
    if (time >= n->grant) time = n->grant - 1;
    return n->sent = time < n->sent ? n->sent : time;
}

/* From the guest's NIC, in the thread of the processor that has told it to send. */
static ssize_t receive(NetClientState* client, const uint8_t* bytes, size_t length) {
    node* n = *owner(client);
    if (!n->bridge) return (ssize_t)length;
    if (!n->grant) {
        ++n->told.early;
    } else if (length > n->welcome.max_frame) {
        ++n->told.refused;
    } else {
        uint64_t time = time_of_sending(n);
        hash_frame(n, '>', time, bytes, (uint32_t)length);
        ++n->told.out;
        if (sare_bridge_send(n->bridge, time, 0, bytes, (uint32_t)length)) fail(n);
    }
    return (ssize_t)length;
}

static void take_frames(node* n) {
    sare_bridge_frame frame;
    while (sare_bridge_receive(n->bridge, &frame)) {
        if (!frame.bytes) continue;
        arrival* a = malloc(sizeof *a + frame.length);
        if (!a) abort();
        a->next = NULL;
        a->time = guest_time(n, frame.time);
        a->length = frame.length;
        memcpy(a->bytes, frame.bytes, frame.length);
        *n->end = a;
        n->end = &a->next;
        hash_frame(n, '<', frame.time, frame.bytes, frame.length);
    }
}

static void deliver(node* n, int64_t now) {
    while (n->first && n->first->time <= now) {
        arrival* a = n->first;
        n->first = a->next;
        if (!n->first) n->end = &n->first;
        ++n->told.in;
        qemu_send_packet(n->cable, a->bytes, (int)a->length);
        free(a);
    }
}

static void next_grant(node* n) {
    if (sare_bridge_wait(n->bridge, &n->grant) != 1) fail(n);
    take_frames(n);
}

static void stop(node* n, int64_t now) {
    ++n->told.stops;
    uint64_t late = network_time(n, now) - n->grant;
    if (late > n->told.latest) n->told.latest = late;
    if (sare_bridge_done(n->bridge, n->grant)) fail(n);
    next_grant(n);
}

/* True: the guest has ended. Asked here and not in the main loop, whose time is the host's. */
static bool exchange(node* n, int64_t now) {
    if (!n->grant) next_grant(n);
    deliver(n, now);
    while (now >= guest_time(n, n->grant)) {
        if (qemu_shutdown_requested_get()) return true;
        stop(n, now);
        deliver(n, now);
    }
    return false;
}

/* The guest stands still: this is called with the lock of all devices, while the processor is halted or
 * between two of its instructions. When it is halted, QEMU skips to the next timer as soon as one is set,
 * here or in a device that takes a frame: the anchor is one that is due now. */
static void at_timer(void* data) {
    node* n = data;
    if (!n->bridge) return;
    int64_t now = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    timer_mod_ns(&n->anchor, now);
    if (exchange(n, now)) {
        node_leave(n);
        turns_end();
    } else {
        int64_t next = guest_time(n, n->grant);
        timer_mod_ns(&n->timer, n->first && n->first->time < next ? n->first->time : next);
    }
    timer_del(&n->anchor);
}

static void at_anchor(void* data) {
    (void)data;
}

node* node_create(sare_bridge* bridge, const sare_bridge_welcome* welcome, int64_t boot) {
    node* n = calloc(1, sizeof *n);
    if (!n) abort();
    n->bridge = bridge;
    n->welcome = *welcome;
    n->boot = boot;
    n->end = &n->first;
    n->told.hash = 0xcbf29ce484222325;
    return n;
}

/* A timer wakes the processor, which is not there before. */
static void at_start(void* data, bool running, int state) {
    node* n = data;
    (void)state;
    if (running && !n->grant) timer_mod_ns(&n->timer, n->boot);
}

void node_attach(node* n) {
    /* Of the kinds of QEMU it is most like a stream, whose other end is a socket. */
    n->info = (NetClientInfo){.type = NET_CLIENT_DRIVER_STREAM, .size = NET_CLIENT_BYTES, .receive = receive};
    n->cable = qemu_new_net_client(&n->info, NULL, "sare", "sare");
    *owner(n->cable) = n;
    timer_init_full(&n->timer, &main_loop_tlg, QEMU_CLOCK_VIRTUAL, 1, 0, at_timer, n);
    timer_init_full(&n->anchor, &main_loop_tlg, QEMU_CLOCK_VIRTUAL, 1, 0, at_anchor, n);
    qemu_add_vm_change_state_handler(at_start, n);
}

void node_leave(node* n) {
    if (!n->bridge) return;
    if (n->grant) sare_bridge_done(n->bridge, n->grant);
    sare_bridge_close(n->bridge, "the guest has ended");
    n->bridge = NULL;
    fprintf(stderr,
            "sare: node %" PRIu32 ": sent %" PRIu64 " frames, received %" PRIu64 ", %" PRIu64
            " lost before the network, %" PRIu64 " too long; %" PRIu64 " stops, late by %" PRIu64
            " ps at most; hash %016" PRIx64 "\n",
            n->welcome.first_node, n->told.out, n->told.in, n->told.early, n->told.refused, n->told.stops,
            n->told.latest, n->told.hash);
}
