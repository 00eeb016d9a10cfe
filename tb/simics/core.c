/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/simics/core.h"

#include <sare_bridge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A frame that waits for its time. */
typedef struct {
    uint64_t time, key;
    uint8_t* bytes;
    uint32_t length;
} held;

/* In order of time, then key, then as they came: the first is the next. */
typedef struct {
    held* all;
    size_t first, end, room;
} queue;

struct sare_follower {
    sare_bridge* session;
    sare_follower_ops ops;
    uint64_t start; /* of the session: the network's time when the follower's is 0 */
    uint64_t now, limit, grant;
    uint64_t report_at, reported;
    queue out, in;
    int over;
    char error[SARE_BRIDGE_MAX_TEXT];
};

static int fail(sare_follower* f, const char* text) {
    snprintf(f->error, sizeof f->error, "%s", text);
    return -1;
}

/* ---- frames that wait ---- */

static int make_room(queue* q) {
    if (q->end < q->room) return 0;
    if (q->end - q->first >= SARE_FOLLOWER_MAX_HELD) return -1;
    if (q->first > q->room / 2) {
        memmove(q->all, q->all + q->first, (q->end - q->first) * sizeof *q->all);
        q->end -= q->first;
        q->first = 0;
        return 0;
    }
    size_t room = q->room * 2 + 16;
    held* all = realloc(q->all, room * sizeof *all);
    if (all == NULL) return -1;
    q->all = all;
    q->room = room;
    return 0;
}

static int is_before(uint64_t time, uint64_t key, const held* h) {
    return time < h->time || (time == h->time && key < h->key);
}

static int push(queue* q, uint64_t time, uint64_t key, const uint8_t* bytes, uint32_t length) {
    uint8_t* copy = malloc(length == 0 ? 1 : length);
    if (copy == NULL || make_room(q) != 0) {
        free(copy);
        return -1;
    }
    memcpy(copy, bytes, length);
    size_t at = q->end++;
    for (; at > q->first && is_before(time, key, &q->all[at - 1]); --at) q->all[at] = q->all[at - 1];
    held h = {time, key, copy, length};
    q->all[at] = h;
    return 0;
}

static const held* first_of(const queue* q) {
    return q->first < q->end ? &q->all[q->first] : NULL;
}

static void pop(queue* q) {
    free(q->all[q->first++].bytes);
}

static void clear(queue* q) {
    while (q->first < q->end) pop(q);
    free(q->all);
}

/* ---- the way through time ---- */

/* Frames of this very moment wait until no other one of it can come. */
static int send_what_leaves(sare_follower* f) {
    for (const held* h = first_of(&f->out); h != NULL; h = first_of(&f->out)) {
        if (h->time > f->now || (h->time == f->now && f->now == f->limit)) break;
        if (sare_bridge_send(f->session, f->start + h->time, 0, h->bytes, h->length) != 0)
            return fail(f, sare_bridge_error(f->session));
        pop(&f->out);
    }
    return 0;
}

static void deliver_what_arrives(sare_follower* f) {
    for (const held* h = first_of(&f->in); h != NULL && h->time <= f->now; h = first_of(&f->in)) {
        f->ops.deliver(f->ops.owner, f->now, h->bytes, h->length);
        pop(&f->in);
    }
}

static void report(sare_follower* f) {
    if (f->now <= f->reported || (f->now < f->report_at && f->now != f->limit)) return;
    f->reported = f->now;
    f->report_at = UINT64_MAX;
    f->ops.report(f->ops.owner, f->now);
}

/* The next grant, and the frames that come with it. 1, 0: the run is over, -1. */
static int wait_for_grant(sare_follower* f) {
    uint64_t grant = 0;
    int status = sare_bridge_wait(f->session, &grant);
    if (status != 1) {
        fail(f, sare_bridge_error(f->session));
        return status;
    }
    f->grant = grant - f->start;
    for (sare_bridge_frame frame; sare_bridge_receive(f->session, &frame);) {
        if (frame.bytes == NULL) continue; /* meta-information: nothing that a computer could take */
        if (frame.time < f->start || push(&f->in, frame.time - f->start, 0, frame.bytes, frame.length) != 0)
            return fail(f, "more frames arrive than can be held");
    }
    return 1;
}

static uint64_t next_event(const sare_follower* f) {
    uint64_t next = f->limit < f->grant ? f->limit : f->grant;
    const held *in = first_of(&f->in), *out = first_of(&f->out);
    if (in != NULL && in->time < next) next = in->time;
    if (out != NULL && out->time < next) next = out->time;
    if (f->report_at > f->now && f->report_at < next) next = f->report_at;
    return next > f->now ? next : f->now;
}

int sare_follower_run(sare_follower* f) {
    for (;;) {
        deliver_what_arrives(f);
        if (send_what_leaves(f) != 0) return -1;
        report(f);
        if (f->now == f->grant) {
            /* Time 0 is where it begins, not the end of a slice. */
            if (f->now != 0 && sare_bridge_done(f->session, f->start + f->now) != 0)
                return fail(f, sare_bridge_error(f->session));
            int status = wait_for_grant(f);
            if (status != 1) return status;
            continue;
        }
        if (f->now == f->limit) return 1;
        f->now = next_event(f);
    }
}

/* ---- what it is told ---- */

sare_follower* sare_follower_new(const char* address, const char* name, uint32_t node, const uint8_t* mac,
                                 const sare_follower_ops* ops, char* error) {
    sare_follower* f = calloc(1, sizeof *f);
    if (f == NULL) {
        strcpy(error, "out of memory");
        return NULL;
    }
    sare_bridge_node computer;
    memset(&computer, 0, sizeof computer);
    computer.node = node;
    if (mac != NULL) {
        computer.macs = 1;
        memcpy(computer.mac[0], mac, 6);
    }
    sare_bridge_hello hello;
    memset(&hello, 0, sizeof hello);
    hello.name = name;
    hello.nodes = &computer;
    hello.node_count = 1;
    sare_bridge_welcome welcome;
    f->ops = *ops;
    f->report_at = UINT64_MAX;
    f->session = sare_bridge_connect(address, &hello, &welcome, error);
    if (f->session == NULL) {
        free(f);
        return NULL;
    }
    f->start = welcome.start;
    return f;
}

int sare_follower_limit(sare_follower* f, uint64_t time) {
    if (time < f->limit) return fail(f, "the simulator takes back how far it lets the follower go");
    f->limit = time;
    return 0;
}

void sare_follower_report_at(sare_follower* f, uint64_t time) {
    f->report_at = time;
}

int sare_follower_frame(sare_follower* f, uint64_t time, uint64_t key, const uint8_t* bytes,
                        uint32_t length) {
    if (time < f->now) return fail(f, "a frame leaves the computer before the follower's time");
    if (length < 14 || length > SARE_BRIDGE_MAX_FRAME)
        return fail(f, "a frame has less than 14 bytes, or more than 65535");
    if (push(&f->out, time, key, bytes, length) != 0) return fail(f, "more frames wait than can be held");
    return 0;
}

uint64_t sare_follower_now(const sare_follower* f) {
    return f->now;
}

const char* sare_follower_error(const sare_follower* f) {
    return f->error;
}

void sare_follower_free(sare_follower* f, const char* reason) {
    if (f == NULL) return;
    sare_bridge_close(f->session, reason);
    clear(&f->out);
    clear(&f->in);
    free(f);
}
