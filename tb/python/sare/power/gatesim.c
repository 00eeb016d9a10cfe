/* SPDX-License-Identifier: Apache-2.0 */
/* Replays pins at a netlist of gates, flip-flops and latches, and counts the edges of every net. Without
 * delays, what changes together, flip-flops and pins after the rising edge of the clock, changes at once, so
 * no gate gives a pulse that a circuit without delays would not give. With delays, a gate passes on pulses
 * that are longer than its delay. See gatesim.py for the arrays. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct netlist {
    int32_t nets, gates, states, levels;
    const int32_t *gate_out, *gate_level,
        *gate_first; /* gate g has the inputs gate_in[gate_first[g] .. gate_first[g + 1]) */
    const int32_t* gate_in;
    const uint64_t* gate_table;
    const int32_t* gate_latch; /* 1: a latch; its inputs are data and enable */
    const int32_t *state_out, *state_inverse, *state_data, *state_clock, *state_clear,
        *state_preset;                      /* nets, -1: none */
    const int32_t *reader_first, *reader;   /* gates that read a net */
    const int32_t *clocked_first, *clocked; /* flip-flops that a net clocks */
    int32_t rams, address_bits,
        ram_bits; /* memories with a port to write and one to read, which the clock of the router clocks */
    const int32_t* ram; /* of each: write, read, and from the lowest bit its addresses to write and to read,
                           data in, data out */
};

struct change {              /* of a net, at a time of a cycle, ps */
    int32_t time, net, gate; /* gate -1: of a flip-flop, which nothing takes back */
    uint32_t version;
    uint8_t value;
};

struct run {
    const struct netlist* n;
    const int32_t* delay; /* ps of each gate; none: no delays */
    struct change* heap;
    int32_t waiting, now;
    uint32_t* version; /* of the change that a gate waits for */
    uint8_t *waits, *next;
    uint8_t* value;
    uint32_t *rises, *falls;
    int32_t *queue, *queued_at,
        *length; /* gates waiting, by level; gates of a level have places of their own */
    const int32_t* level_first;
    uint8_t* queued;
    int32_t *triggered, triggers;
    int asynchronous; /* a clear or a preset has changed */
    const uint8_t* is_asynchronous;
};

static void push(struct run* r, struct change c) {
    int32_t k = r->waiting++;
    for (; k > 0 && r->heap[(k - 1) / 2].time > c.time; k = (k - 1) / 2) r->heap[k] = r->heap[(k - 1) / 2];
    r->heap[k] = c;
}

static struct change pop(struct run* r) {
    const struct change first = r->heap[0], last = r->heap[--r->waiting];
    int32_t k = 0;
    for (int32_t child; (child = 2 * k + 1) < r->waiting; k = child) {
        if (child + 1 < r->waiting && r->heap[child + 1].time < r->heap[child].time) ++child;
        if (r->heap[child].time >= last.time) break;
        r->heap[k] = r->heap[child];
    }
    r->heap[k] = last;
    return first;
}

static uint8_t output_of(const struct run* r, int32_t g) {
    const struct netlist* n = r->n;
    const int32_t first = n->gate_first[g];
    if (n->gate_latch[g])
        return r->value[n->gate_in[first + 1]] ? r->value[n->gate_in[first]] : r->value[n->gate_out[g]];
    unsigned at = 0;
    for (int32_t k = n->gate_first[g + 1] - 1; k >= first; --k) at = at << 1 | r->value[n->gate_in[k]];
    return n->gate_table[g] >> at & 1;
}

/* An input of gate g has changed: what it waits for goes on or is taken back. */
static void react(struct run* r, int32_t g) {
    const uint8_t value = output_of(r, g);
    if (r->waits[g] && r->next[g] == value) return;
    r->waits[g] = value != r->value[r->n->gate_out[g]];
    r->next[g] = value;
    ++r->version[g];
    if (r->waits[g])
        push(r, (struct change){r->now + r->delay[g], r->n->gate_out[g], g, r->version[g], value});
}

static void set(struct run* r, int32_t net, uint8_t value) {
    if (net < 0 || r->value[net] == value) return;
    r->value[net] = value;
    if (value)
        r->rises[net]++;
    else
        r->falls[net]++;
    const struct netlist* n = r->n;
    for (int32_t k = n->reader_first[net]; k < n->reader_first[net + 1]; ++k) {
        const int32_t g = n->reader[k], level = n->gate_level[g];
        if (r->delay) {
            react(r, g);
            continue;
        }
        if (r->queued[g]) continue;
        r->queued[g] = 1;
        r->queue[r->level_first[level] + r->length[level]++] = g;
    }
    if (value)
        for (int32_t k = n->clocked_first[net]; k < n->clocked_first[net + 1]; ++k)
            r->triggered[r->triggers++] = n->clocked[k];
    if (r->is_asynchronous[net]) r->asynchronous = 1;
}

static void settle(struct run* r) {
    while (r->waiting > 0) {
        const struct change c = pop(r);
        r->now = c.time;
        if (c.gate >= 0 && (!r->waits[c.gate] || r->version[c.gate] != c.version)) continue;
        if (c.gate >= 0) r->waits[c.gate] = 0;
        set(r, c.net, c.value);
    }
    r->now = 0;
    for (int32_t level = 0; level < r->n->levels; ++level) {
        for (int32_t k = 0; k < r->length[level]; ++k) {
            const int32_t g = r->queue[r->level_first[level] + k];
            r->queued[g] = 0;
            set(r, r->n->gate_out[g], output_of(r, g));
        }
        r->length[level] = 0;
    }
}

static unsigned number(const struct run* r, const int32_t* nets, int32_t bits) {
    unsigned value = 0;
    for (int32_t k = bits - 1; k >= 0; --k) value = value << 1 | r->value[nets[k]];
    return value;
}

/* What memories show after the edge, into `shown`; then what is written. */
static void clock_rams(const struct run* r, uint8_t* words, uint8_t* shown) {
    const struct netlist* n = r->n;
    const int32_t each = 2 + 2 * n->address_bits + 2 * n->ram_bits;
    for (int32_t m = 0; m < n->rams; ++m) {
        const int32_t *pin = n->ram + m * each, *address = pin + 2, *in = address + 2 * n->address_bits,
                      *out = in + n->ram_bits;
        uint8_t* const mine = words + ((size_t)m << n->address_bits) * n->ram_bits;
        const uint8_t* const read =
            mine + (size_t)number(r, address + n->address_bits, n->address_bits) * n->ram_bits;
        for (int32_t b = 0; b < n->ram_bits; ++b)
            shown[m * n->ram_bits + b] = r->value[pin[1]] ? read[b] : r->value[out[b]];
        if (!r->value[pin[0]]) continue;
        uint8_t* const written = mine + (size_t)number(r, address, n->address_bits) * n->ram_bits;
        for (int32_t b = 0; b < n->ram_bits; ++b) written[b] = r->value[in[b]];
    }
}

static void show_rams(struct run* r, const uint8_t* shown) {
    const struct netlist* n = r->n;
    const int32_t each = 2 + 2 * n->address_bits + 2 * n->ram_bits;
    for (int32_t m = 0; m < n->rams; ++m)
        for (int32_t b = 0; b < n->ram_bits; ++b)
            set(r, n->ram[m * each + each - n->ram_bits + b], shown[m * n->ram_bits + b]);
}

static void set_state(struct run* r, int32_t f, uint8_t value, const int32_t* delay) {
    if (delay && r->value[r->n->state_out[f]] != value) {
        push(r, (struct change){delay[f], r->n->state_out[f], -1, 0, value});
        if (r->n->state_inverse[f] >= 0)
            push(r, (struct change){delay[f], r->n->state_inverse[f], -1, 0, !value});
        return;
    }
    if (delay) return;
    set(r, r->n->state_out[f], value);
    set(r, r->n->state_inverse[f], !value);
}

static int held(const struct run* r, int32_t f, uint8_t* value) {
    const struct netlist* n = r->n;
    if (n->state_clear[f] >= 0 && r->value[n->state_clear[f]]) return *value = 0, 1;
    if (n->state_preset[f] >= 0 && r->value[n->state_preset[f]]) return *value = 1, 1;
    return 0;
}

static void clear_and_preset(struct run* r) {
    uint8_t value;
    while (r->asynchronous) {
        r->asynchronous = 0;
        for (int32_t f = 0; f < r->n->states; ++f)
            if (held(r, f, &value)) set_state(r, f, value, NULL);
        settle(r);
    }
}

/* Cycles of pins: in[cycle * ins + k] is the value of the net in_net[k]; out likewise is what must be seen,
 * where care is 1. Counts of a segment of cycles go into rises and falls, of `segments` * nets. busy[segment
 * * groups + k] counts cycles in which some net of the group is 1. Delays, if there are any, hold after the
 * first segment. Returns the first cycle with another output, or -1. */
int64_t replay(const struct netlist* n, const int32_t* level_first, const uint8_t* is_asynchronous,
               int32_t clock, int64_t cycles, int32_t ins, const int32_t* in_net, const uint8_t* in,
               int32_t outs, const int32_t* out_net, const uint8_t* out, const uint8_t* care,
               int32_t segments, const int64_t* segment_end, uint32_t* rises, uint32_t* falls, int32_t groups,
               const int32_t* group_first, const int32_t* group_net, uint32_t* busy, int32_t* wrong_pin,
               const int32_t* gate_delay, const int32_t* state_delay) {
    struct run r = {.n = n,
                    .rises = rises,
                    .falls = falls,
                    .level_first = level_first,
                    .is_asynchronous = is_asynchronous};
    r.value = calloc(n->nets, 1);
    r.queue = calloc(n->gates + 1, sizeof *r.queue);
    r.length = calloc(n->levels + 1, sizeof *r.length);
    r.queued = calloc(n->gates + 1, 1);
    r.triggered = calloc(n->states + 1, sizeof *r.triggered);
    r.heap = calloc(64 * ((size_t)n->gates + n->states) + 64, sizeof *r.heap);
    r.version = calloc(n->gates + 1, sizeof *r.version);
    r.waits = calloc(n->gates + 1, 1);
    r.next = calloc(n->gates + 1, 1);
    uint8_t* data = calloc(n->states + 1, 1);
    uint8_t *words = calloc(((size_t)n->rams << n->address_bits) * n->ram_bits + 1, 1),
            *shown = calloc(n->rams * n->ram_bits + 1, 1);
    uint32_t* unused = calloc(2 * (size_t)n->nets, sizeof *unused);
    int64_t bad = -1;
    r.rises = unused, r.falls = unused + n->nets;
    for (int32_t g = 0; g < n->gates; ++g) {
        r.queued[g] = 1;
        r.queue[level_first[n->gate_level[g]] + r.length[n->gate_level[g]]++] = g;
    }
    for (int32_t k = 0; k < ins; ++k) set(&r, in_net[k], in[k]);
    settle(&r);
    r.asynchronous = 1;
    clear_and_preset(&r);
    for (int32_t f = 0; f < n->states; ++f) set_state(&r, f, r.value[n->state_out[f]], NULL); /* inverses */
    settle(&r);
    r.triggers = 0;
    for (int64_t t = 0, s = 0; t < cycles && bad < 0; ++t) {
        while (s < segments && t >= segment_end[s]) ++s;
        if (s >= segments) break;
        r.delay = s > 0 ? gate_delay : NULL;
        r.rises = rises + s * n->nets, r.falls = falls + s * n->nets;
        for (int32_t k = 0; k < ins; ++k) set(&r, in_net[k], in[t * ins + k]);
        settle(&r);
        clear_and_preset(&r);
        for (int32_t k = 0; k < outs && bad < 0; ++k)
            if (care[t * outs + k] && r.value[out_net[k]] != out[t * outs + k]) bad = t, *wrong_pin = k;
        for (int32_t k = 0; k < groups; ++k)
            for (int32_t i = group_first[k]; i < group_first[k + 1]; ++i)
                if (r.value[group_net[i]]) {
                    ++busy[s * groups + k];
                    break;
                }
        r.triggers = 0; /* falls, then rises */
        set(&r, clock, 0);
        settle(&r);
        r.triggers = 0;
        set(&r, clock, 1);
        settle(&r);
        const int32_t count = r.triggers;
        for (int32_t k = 0; k < count; ++k) data[k] = r.value[n->state_data[r.triggered[k]]];
        clock_rams(&r, words, shown);
        show_rams(&r, shown);
        for (int32_t k = 0; k < count; ++k) {
            uint8_t value = data[k];
            held(&r, r.triggered[k], &value);
            set_state(&r, r.triggered[k], value, r.delay ? state_delay : NULL);
        }
    }
    free(r.value), free(r.queue), free(r.length), free(r.queued), free(r.triggered), free(data), free(unused),
        free(words), free(shown);
    free(r.heap), free(r.version), free(r.waits), free(r.next);
    return bad;
}
