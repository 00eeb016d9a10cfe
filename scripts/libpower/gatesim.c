/* SPDX-License-Identifier: Apache-2.0 */
/* Replays pins at a netlist of gates, flip-flops and latches, without delays, and counts the edges of every net. What
 * changes together, flip-flops and pins after the rising edge of the clock, changes at once, so no gate gives a pulse
 * that a circuit without delays would not give. See gatesim.py for the arrays. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct netlist {
    int32_t nets, gates, states, levels;
    const int32_t *gate_out, *gate_level, *gate_first; /* gate g has the inputs gate_in[gate_first[g] .. gate_first[g + 1]) */
    const int32_t *gate_in;
    const uint64_t *gate_table;
    const int32_t *gate_latch; /* 1: a latch; its inputs are data and enable */
    const int32_t *state_out, *state_inverse, *state_data, *state_clock, *state_clear, *state_preset; /* nets, -1: none */
    const int32_t *reader_first, *reader; /* gates that read a net */
    const int32_t *clocked_first, *clocked; /* flip-flops that a net clocks */
};

struct run {
    const struct netlist *n;
    uint8_t *value;
    uint32_t *rises, *falls;
    int32_t *queue, *queued_at, *length; /* gates waiting, by level; gates of a level have places of their own */
    const int32_t *level_first;
    uint8_t *queued;
    int32_t *triggered, triggers;
    int asynchronous; /* a clear or a preset has changed */
    const uint8_t *is_asynchronous;
};

static void set(struct run *r, int32_t net, uint8_t value) {
    if (net < 0 || r->value[net] == value) return;
    r->value[net] = value;
    if (value) r->rises[net]++;
    else r->falls[net]++;
    const struct netlist *n = r->n;
    for (int32_t k = n->reader_first[net]; k < n->reader_first[net + 1]; ++k) {
        const int32_t g = n->reader[k], level = n->gate_level[g];
        if (r->queued[g]) continue;
        r->queued[g] = 1;
        r->queue[r->level_first[level] + r->length[level]++] = g;
    }
    if (value)
        for (int32_t k = n->clocked_first[net]; k < n->clocked_first[net + 1]; ++k) r->triggered[r->triggers++] = n->clocked[k];
    if (r->is_asynchronous[net]) r->asynchronous = 1;
}

static void evaluate(struct run *r, int32_t g) {
    const struct netlist *n = r->n;
    const int32_t first = n->gate_first[g];
    if (n->gate_latch[g]) {
        if (r->value[n->gate_in[first + 1]]) set(r, n->gate_out[g], r->value[n->gate_in[first]]);
        return;
    }
    unsigned at = 0;
    for (int32_t k = n->gate_first[g + 1] - 1; k >= first; --k) at = at << 1 | r->value[n->gate_in[k]];
    set(r, n->gate_out[g], n->gate_table[g] >> at & 1);
}

static void settle(struct run *r) {
    for (int32_t level = 0; level < r->n->levels; ++level) {
        for (int32_t k = 0; k < r->length[level]; ++k) {
            const int32_t g = r->queue[r->level_first[level] + k];
            r->queued[g] = 0;
            evaluate(r, g);
        }
        r->length[level] = 0;
    }
}

static void set_state(struct run *r, int32_t f, uint8_t value) {
    set(r, r->n->state_out[f], value);
    set(r, r->n->state_inverse[f], !value);
}

static int held(const struct run *r, int32_t f, uint8_t *value) {
    const struct netlist *n = r->n;
    if (n->state_clear[f] >= 0 && r->value[n->state_clear[f]]) return *value = 0, 1;
    if (n->state_preset[f] >= 0 && r->value[n->state_preset[f]]) return *value = 1, 1;
    return 0;
}

static void clear_and_preset(struct run *r) {
    uint8_t value;
    while (r->asynchronous) {
        r->asynchronous = 0;
        for (int32_t f = 0; f < r->n->states; ++f)
            if (held(r, f, &value)) set_state(r, f, value);
        settle(r);
    }
}

/* Cycles of pins: in[cycle * ins + k] is the value of the net in_net[k]; out likewise is what must be seen, where
 * care is 1. Counts of a segment of cycles go into rises and falls, of `segments` * nets. busy[segment * groups + k]
 * counts cycles in which some net of the group is 1. Returns the first cycle with another output, or -1. */
int64_t replay(const struct netlist *n, const int32_t *level_first, const uint8_t *is_asynchronous, int32_t clock, int64_t cycles,
               int32_t ins, const int32_t *in_net, const uint8_t *in, int32_t outs, const int32_t *out_net, const uint8_t *out,
               const uint8_t *care, int32_t segments, const int64_t *segment_end, uint32_t *rises, uint32_t *falls,
               int32_t groups, const int32_t *group_first, const int32_t *group_net, uint32_t *busy, int32_t *wrong_pin) {
    struct run r = {.n = n, .rises = rises, .falls = falls, .level_first = level_first, .is_asynchronous = is_asynchronous};
    r.value = calloc(n->nets, 1);
    r.queue = calloc(n->gates + 1, sizeof *r.queue);
    r.length = calloc(n->levels + 1, sizeof *r.length);
    r.queued = calloc(n->gates + 1, 1);
    r.triggered = calloc(n->states + 1, sizeof *r.triggered);
    uint8_t *data = calloc(n->states + 1, 1);
    uint32_t *unused = calloc(2 * (size_t)n->nets, sizeof *unused);
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
    for (int32_t f = 0; f < n->states; ++f) set_state(&r, f, r.value[n->state_out[f]]); /* inverses */
    settle(&r);
    r.triggers = 0;
    for (int64_t t = 0, s = 0; t < cycles && bad < 0; ++t) {
        while (s < segments && t >= segment_end[s]) ++s;
        if (s >= segments) break;
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
        for (int32_t k = 0; k < count; ++k) {
            uint8_t value = data[k];
            held(&r, r.triggered[k], &value);
            set_state(&r, r.triggered[k], value);
        }
    }
    free(r.value), free(r.queue), free(r.length), free(r.queued), free(r.triggered), free(data), free(unused);
    return bad;
}
