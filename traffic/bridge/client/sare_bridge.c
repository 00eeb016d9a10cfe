/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later */
#define _GNU_SOURCE
#include "traffic/bridge/client/sare_bridge.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    hello_record = 1,
    welcome_record,
    refused_record,
    frame_record,
    done_record,
    grant_record,
    roi_begin_record,
    roi_end_record,
    stats_record,
    figures_record,
    bye_record
};
enum {
    magic = 0x45524153,
    max_record = SARE_BRIDGE_MAX_FRAME + 64,
    read_at_once = 65536,
    send_at_once = 32768
};

typedef struct {
    uint8_t* bytes;
    size_t size, room;
} buffer;

struct sare_bridge {
    int fd;
    uint32_t node_count;
    uint32_t* numbers; /* of the network, by place */
    int timeout_ms;    /* -1: for ever */
    buffer in, out;
    size_t taken;  /* of `in` */
    size_t frames; /* where the frames of the last grant go on, in `in` */
    size_t frames_end;
    int over; /* the network has ended the session */
    char* figures;
    char error[SARE_BRIDGE_MAX_TEXT];
};

static int fail(sare_bridge* b, const char* format, ...) {
    va_list more;
    va_start(more, format);
    vsnprintf(b->error, sizeof b->error, format, more);
    va_end(more);
    return -1;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- fields, little-endian ---- */

static int reserve(buffer* b, size_t more) {
    if (b->room - b->size >= more) return 0;
    size_t room = b->room * 2 > b->size + more ? b->room * 2 : b->size + more;
    uint8_t* bytes = realloc(b->bytes, room);
    if (bytes == NULL) return -1;
    b->bytes = bytes;
    b->room = room;
    return 0;
}

static void put(buffer* b, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) b->bytes[b->size++] = (uint8_t)(value >> (8 * i));
}

static void put_bytes(buffer* b, const void* bytes, size_t length) {
    if (length != 0) memcpy(b->bytes + b->size, bytes, length);
    b->size += length;
}

static uint64_t get(const uint8_t* at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static int begin_record(sare_bridge* b, int type, size_t length) {
    if (reserve(&b->out, length + 5) != 0) return fail(b, "out of memory");
    put(&b->out, length + 1, 4);
    put(&b->out, (uint64_t)type, 1);
    return 0;
}

/* ---- the stream ---- */

static int wait_for(sare_bridge* b, short events, double until) {
    for (;;) {
        struct pollfd one = {b->fd, events, 0};
        int left = b->timeout_ms;
        if (left >= 0) {
            double s = until - seconds();
            left = s > 0 ? (int)(s * 1000) + 1 : 0;
        }
        int got = poll(&one, 1, left);
        if (got > 0) return 0;
        if (got == 0) return fail(b, "the network has said nothing for %g s", b->timeout_ms * 1e-3);
        if (errno != EINTR) return fail(b, "waiting for the network: %s", strerror(errno));
    }
}

static double limit(const sare_bridge* b) {
    return seconds() + b->timeout_ms * 1e-3;
}

static int flush(sare_bridge* b) {
    size_t sent = 0;
    double until = limit(b);
    while (sent < b->out.size) {
        ssize_t n = send(b->fd, b->out.bytes + sent, b->out.size - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n > 0) {
            sent += (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            if (wait_for(b, POLLOUT, until) != 0) return -1;
        } else if (n < 0 && errno != EINTR) {
            b->out.size = 0;
            return fail(b, "the network is gone: %s", strerror(errno));
        }
    }
    b->out.size = 0;
    return 0;
}

/* A whole record at *at, of *length bytes from its type on: `in` from there on holds it. */
static int read_record(sare_bridge* b, size_t from, size_t* length, double until) {
    for (;;) {
        size_t have = b->in.size - from;
        if (have >= 4) {
            *length = (size_t)get(b->in.bytes + from, 4);
            if (*length == 0 || *length > max_record)
                return fail(b, "the network sent a record of %zu bytes; is it another program?", *length);
            if (have >= 4 + *length) return 0;
        }
        if (reserve(&b->in, read_at_once) != 0) return fail(b, "out of memory");
        ssize_t n = recv(b->fd, b->in.bytes + b->in.size, read_at_once, MSG_DONTWAIT);
        if (n > 0) {
            b->in.size += (size_t)n;
        } else if (n == 0 || errno == ECONNRESET) {
            return fail(b, "the network hung up");
        } else if (errno == EAGAIN) {
            if (wait_for(b, POLLIN, until) != 0) return -1;
        } else if (errno != EINTR) {
            return fail(b, "reading from the network: %s", strerror(errno));
        }
    }
}

static void drop_taken(sare_bridge* b) {
    if (b->taken == 0) return;
    b->in.size -= b->taken;
    memmove(b->in.bytes, b->in.bytes + b->taken, b->in.size);
    b->taken = 0;
}

static void keep_text(sare_bridge* b, const uint8_t* text, size_t length) {
    if (length >= sizeof b->error) length = sizeof b->error - 1;
    memcpy(b->error, text, length);
    b->error[length] = 0;
}

/* ---- connecting ---- */

static int open_unix(const char* path) {
    struct sockaddr_un a;
    memset(&a, 0, sizeof a);
    a.sun_family = AF_UNIX;
    if (strlen(path) >= sizeof a.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(a.sun_path, path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (struct sockaddr*)&a, sizeof a) != 0) {
        int problem = errno;
        close(fd);
        errno = problem;
        return -1;
    }
    return fd;
}

static int open_tcp(const char* address) {
    char host[256];
    const char* colon = strrchr(address, ':');
    errno = EINVAL;
    if (colon == NULL || (size_t)(colon - address) >= sizeof host) return -1;
    memcpy(host, address, (size_t)(colon - address));
    host[colon - address] = 0;
    struct addrinfo hints, *found = NULL;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(host, colon + 1, &hints, &found) != 0) {
        errno = EHOSTUNREACH;
        return -1;
    }
    int fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) != 0) {
        int problem = errno;
        close(fd);
        fd = -1;
        errno = problem;
    }
    freeaddrinfo(found);
    int on = 1;
    if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static int connect_to(sare_bridge* b, const char* address) {
    double until = limit(b);
    for (;;) {
        b->fd = strncmp(address, "tcp:", 4) == 0
                    ? open_tcp(address + 4)
                    : open_unix(strncmp(address, "unix:", 5) == 0 ? address + 5 : address);
        if (b->fd >= 0) return 0;
        int may_come = errno == ENOENT || errno == ECONNREFUSED || errno == EAGAIN;
        if (!may_come || (b->timeout_ms >= 0 && seconds() > until))
            return fail(b, "no connection to %s: %s", address, strerror(errno));
        struct timespec moment = {0, 20000000};
        nanosleep(&moment, NULL);
    }
}

static int say_hello(sare_bridge* b, const sare_bridge_hello* hello) {
    const char* name = hello->name != NULL ? hello->name : "peer";
    size_t name_length = strlen(name), length = 4 + 2 + 2 + 8 + 8 + 8 + 1 + name_length;
    if (name_length >= SARE_BRIDGE_MAX_NAME) return fail(b, "the session's name is too long");
    if (hello->node_count == 0 || hello->node_count > SARE_BRIDGE_MAX_NODES)
        return fail(b, "a session has 1 to %d nodes", SARE_BRIDGE_MAX_NODES);
    for (uint32_t i = 0; i < hello->node_count; ++i) {
        if (hello->nodes[i].macs > SARE_BRIDGE_MAX_MACS)
            return fail(b, "a node has up to %d MACs", SARE_BRIDGE_MAX_MACS);
        length += 5 + 6 * (size_t)hello->nodes[i].macs;
    }
    if (begin_record(b, hello_record, length) != 0) return -1;
    uint64_t clock_bits;
    memcpy(&clock_bits, &hello->clock_hz, 8);
    put(&b->out, magic, 4);
    put(&b->out, SARE_BRIDGE_VERSION, 2);
    put(&b->out, hello->node_count, 2);
    put(&b->out, clock_bits, 8);
    put(&b->out, hello->quantum, 8);
    put(&b->out, hello->lookahead, 8);
    put(&b->out, name_length, 1);
    put_bytes(&b->out, name, name_length);
    for (uint32_t i = 0; i < hello->node_count; ++i) {
        put(&b->out, hello->nodes[i].node, 4);
        put(&b->out, hello->nodes[i].macs, 1);
        put_bytes(&b->out, hello->nodes[i].mac, 6 * (size_t)hello->nodes[i].macs);
    }
    return flush(b);
}

static int hear_welcome(sare_bridge* b, sare_bridge_welcome* welcome) {
    size_t length;
    if (read_record(b, 0, &length, limit(b)) != 0) return -1;
    const uint8_t* at = b->in.bytes + 4;
    if (at[0] == refused_record || at[0] == bye_record) {
        keep_text(b, at + 1, length - 1);
        return -1;
    }
    if (at[0] != welcome_record || length != 37 + 4 * (size_t)b->node_count)
        return fail(b, "the network does not answer with a WELCOME of version %d", SARE_BRIDGE_VERSION);
    welcome->nodes = (uint32_t)get(at + 3, 4);
    welcome->quantum = get(at + 7, 8);
    welcome->lookahead = get(at + 15, 8);
    welcome->start = get(at + 23, 8);
    welcome->max_frame = (uint32_t)get(at + 31, 4);
    for (uint32_t i = 0; i < b->node_count; ++i) b->numbers[i] = (uint32_t)get(at + 37 + 4 * (size_t)i, 4);
    welcome->first_node = b->numbers[0];
    b->taken = 4 + length;
    return 0;
}

sare_bridge* sare_bridge_connect(const char* address, const sare_bridge_hello* hello,
                                 sare_bridge_welcome* welcome, char* error) {
    sare_bridge* b = calloc(1, sizeof *b);
    uint32_t* numbers = calloc(hello->node_count == 0 ? 1 : hello->node_count, sizeof *numbers);
    if (b == NULL || numbers == NULL) {
        free(b);
        free(numbers);
        strcpy(error, "out of memory");
        return NULL;
    }
    b->fd = -1;
    b->numbers = numbers;
    b->node_count = hello->node_count;
    double timeout = hello->timeout_s == 0 ? 60 : hello->timeout_s;
    b->timeout_ms = timeout < 0 ? -1 : timeout > 2e6 ? 2000000000 : (int)(timeout * 1000) + 1;
    if (connect_to(b, address) == 0 && say_hello(b, hello) == 0 && hear_welcome(b, welcome) == 0) return b;
    memcpy(error, b->error, sizeof b->error);
    sare_bridge_close(b, NULL);
    return NULL;
}

uint32_t sare_bridge_node_number(const sare_bridge* b, uint32_t place) {
    return place < b->node_count ? b->numbers[place] : SARE_BRIDGE_ANY_NODE;
}

void sare_bridge_close(sare_bridge* b, const char* reason) {
    if (b == NULL) return;
    size_t length = reason != NULL ? strlen(reason) : 0;
    if (length >= SARE_BRIDGE_MAX_TEXT) length = SARE_BRIDGE_MAX_TEXT - 1;
    if (b->fd >= 0) {
        if (!b->over && b->numbers != NULL && begin_record(b, bye_record, length) == 0) {
            put_bytes(&b->out, reason, length);
            flush(b);
        }
        close(b->fd);
    }
    free(b->in.bytes);
    free(b->out.bytes);
    free(b->numbers);
    free(b->figures);
    free(b);
}

/* ---- a slice ---- */

/* All up to the next GRANT, which is taken; the frames before it stay to be received. */
int sare_bridge_wait(sare_bridge* b, uint64_t* grant) {
    if (b->over) return 0;
    if (flush(b) != 0) return -1;
    drop_taken(b);
    double until = limit(b);
    size_t at = 0, length;
    for (;; at += 4 + length) {
        if (read_record(b, at, &length, until) != 0) return -1;
        const uint8_t* record = b->in.bytes + at + 4;
        if (record[0] == frame_record && length >= 22) continue;
        if (record[0] == grant_record && length == 9) break;
        if (record[0] == bye_record || record[0] == refused_record) {
            b->over = 1;
            keep_text(b, record + 1, length - 1);
            return 0;
        }
        return fail(b, "the network sent a record of type %d that does not belong here", record[0]);
    }
    *grant = get(b->in.bytes + at + 5, 8);
    b->frames = 0;
    b->frames_end = at;
    b->taken = at + 4 + length;
    return 1;
}

int sare_bridge_receive(sare_bridge* b, sare_bridge_frame* frame) {
    if (b->frames >= b->frames_end) return 0;
    const uint8_t* at = b->in.bytes + b->frames;
    size_t length = (size_t)get(at, 4);
    frame->time = get(at + 5, 8);
    frame->node = (uint32_t)get(at + 13, 4);
    frame->source = (uint32_t)get(at + 17, 4);
    frame->length = (uint32_t)get(at + 21, 4);
    int meta = at[25] == 1;
    frame->id = meta && length >= 30 ? get(at + 26, 8) : 0;
    frame->bytes = meta ? NULL : at + 26;
    if (!meta && length < 22 + (size_t)frame->length) frame->length = (uint32_t)(length - 22);
    b->frames += 4 + length;
    return 1;
}

static int send_frame(sare_bridge* b, uint64_t time, uint32_t node, uint32_t destination, uint32_t length,
                      int meta, uint64_t id, const void* bytes) {
    if (node >= b->node_count) return fail(b, "the session has no node %u", node);
    if (length < 14 || length > SARE_BRIDGE_MAX_FRAME) return fail(b, "a frame of %u bytes", length);
    if (begin_record(b, frame_record, 21 + (meta ? 8 : (size_t)length)) != 0) return -1;
    put(&b->out, time, 8);
    put(&b->out, node, 4);
    put(&b->out, destination, 4);
    put(&b->out, length, 4);
    put(&b->out, (uint64_t)meta, 1);
    if (meta)
        put(&b->out, id, 8);
    else
        put_bytes(&b->out, bytes, length);
    return b->out.size > send_at_once ? flush(b) : 0;
}

int sare_bridge_send(sare_bridge* b, uint64_t time, uint32_t node, const void* bytes, uint32_t length) {
    return send_frame(b, time, node, SARE_BRIDGE_BROADCAST, length, 0, 0, bytes);
}

int sare_bridge_send_meta(sare_bridge* b, uint64_t time, uint32_t node, uint32_t destination, uint32_t length,
                          uint64_t id) {
    return send_frame(b, time, node, destination, length, 1, id, NULL);
}

static int send_time(sare_bridge* b, int type, uint64_t time) {
    if (begin_record(b, type, 8) != 0) return -1;
    put(&b->out, time, 8);
    return 0;
}

int sare_bridge_done(sare_bridge* b, uint64_t time) {
    return send_time(b, done_record, time) == 0 ? flush(b) : -1;
}

int sare_bridge_roi_begin(sare_bridge* b, uint64_t time) {
    return send_time(b, roi_begin_record, time);
}

int sare_bridge_roi_end(sare_bridge* b, uint64_t time) {
    return send_time(b, roi_end_record, time);
}

const char* sare_bridge_stats(sare_bridge* b) {
    size_t length;
    if (begin_record(b, stats_record, 0) != 0 || flush(b) != 0) return NULL;
    if (read_record(b, b->taken, &length, limit(b)) != 0) return NULL;
    const uint8_t* record = b->in.bytes + b->taken + 4;
    if (record[0] != figures_record) {
        fail(b, "the network sent a record of type %d that does not belong here", record[0]);
        return NULL;
    }
    char* text = realloc(b->figures, length);
    if (text == NULL) {
        fail(b, "out of memory");
        return NULL;
    }
    b->figures = text;
    memcpy(text, record + 1, length - 1);
    text[length - 1] = 0;
    b->taken += 4 + length;
    return text;
}

const char* sare_bridge_error(const sare_bridge* b) {
    return b->error;
}
