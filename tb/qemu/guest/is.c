/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integer sort, class S, as the specification of the NAS Parallel Benchmarks (NAS-95-020, 2.3.5) has it: our
 * own program, not NPB's. 2^16 keys below 2^11 from its generator are ranked ten times, with two of them
 * changed each time; five ranks are compared with known ones each time, and the sorted keys are checked at
 * the end. */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { keys = 1 << 16, key_limit = 1 << 11, iterations = 10, buckets = 1 << 9, probes = 5 };

/* Of class S: places, and the ranks of the keys there; with each iteration the first three rise and the last
 * two fall. */
static const int probe_at[probes] = {48427, 17148, 23627, 62548, 4431};
static const int probe_rank[probes] = {0, 18, 346, 64917, 65463};
static const int probe_step[probes] = {1, 1, 1, -1, -1};

/* x -> a x mod 2^46 */
static const uint64_t multiplier = 1220703125, seed = 314159265, mask = ((uint64_t)1 << 46) - 1;

typedef struct {
    int rank, size;
    int first, count; /* of the keys that are generated here */
    int* mine;        /* in the order in which they were generated */
    int* sent;        /* the same by buckets */
    int* got;         /* those of the buckets that are ranked here */
    int got_count;
    int before;               /* keys on lower ranks */
    int low, high;            /* keys here are in [low, high) */
    int below[key_limit + 1]; /* of those here, how many are smaller than low + i */
    int wrong;
} sorter;

static uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = base * base & mask) {
        if (exponent & 1) result = result * base & mask;
    }
    return result;
}

static void generate(sorter* s) {
    s->first = (int)((int64_t)keys * s->rank / s->size);
    s->count = (int)((int64_t)keys * (s->rank + 1) / s->size) - s->first;
    uint64_t x = seed * power(multiplier, 4 * (uint64_t)s->first) & mask;
    for (int i = 0; i < s->count; ++i) {
        double sum = 0;
        for (int draw = 0; draw < 4; ++draw) {
            x = x * multiplier & mask;
            sum += ldexp((double)x, -46);
        }
        s->mine[i] = (int)(sum * (key_limit / 4));
    }
}

static int bucket_of(int key) {
    return key / (key_limit / buckets);
}

/* owner[b]: which rank has bucket b, so that each has about as many keys. */
static void share_out(const sorter* s, const int* totals, int* owner) {
    int64_t sum = 0;
    for (int b = 0; b < buckets; ++b) {
        owner[b] = (int)(sum * s->size / keys);
        sum += totals[b];
    }
}

static void starts(const int* counts, int* at, int n) {
    for (int i = 0, sum = 0; i < n; sum += counts[i++]) at[i] = sum;
}

static void exchange(sorter* s) {
    int local[buckets] = {0}, totals[buckets], owner[buckets], place[buckets];
    int* table = calloc(4 * (size_t)s->size, sizeof *table);
    int *out = table, *out_at = out + s->size, *in = out_at + s->size, *in_at = in + s->size;
    for (int i = 0; i < s->count; ++i) ++local[bucket_of(s->mine[i])];
    MPI_Allreduce(local, totals, buckets, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    share_out(s, totals, owner);
    starts(local, place, buckets);
    for (int i = 0; i < s->count; ++i) s->sent[place[bucket_of(s->mine[i])]++] = s->mine[i];
    for (int b = 0; b < buckets; ++b) out[owner[b]] += local[b];
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    starts(out, out_at, s->size);
    starts(in, in_at, s->size);
    s->got_count = in_at[s->size - 1] + in[s->size - 1];
    MPI_Alltoallv(s->sent, out, out_at, MPI_INT, s->got, in, in_at, MPI_INT, MPI_COMM_WORLD);
    s->before = 0;
    s->low = s->high = 0;
    for (int b = 0; b < buckets; ++b) {
        if (owner[b] < s->rank) s->before += totals[b], s->low = (b + 1) * (key_limit / buckets);
        if (owner[b] <= s->rank) s->high = (b + 1) * (key_limit / buckets);
    }
    free(table);
}

static void count(sorter* s) {
    memset(s->below, 0, sizeof s->below);
    for (int i = 0; i < s->got_count; ++i) ++s->below[s->got[i] - s->low + 1];
    for (int i = 0; i < s->high - s->low; ++i) s->below[i + 1] += s->below[i];
}

static void set_key(sorter* s, int place, int key) {
    if (place >= s->first && place < s->first + s->count) s->mine[place - s->first] = key;
}

static void rank_keys(sorter* s, int iteration) {
    int probe[probes], all[probes];
    set_key(s, iteration, iteration);
    set_key(s, iteration + iterations, key_limit - iteration);
    for (int i = 0; i < probes; ++i) {
        int here = probe_at[i] - s->first;
        probe[i] = here >= 0 && here < s->count ? s->mine[here] : 0;
    }
    MPI_Allreduce(probe, all, probes, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    exchange(s);
    count(s);
    for (int i = 0; i < probes; ++i) {
        if (all[i] < s->low || all[i] >= s->high) continue;
        int rank = s->before + s->below[all[i] - s->low];
        if (rank != probe_rank[i] + probe_step[i] * iteration) ++s->wrong;
    }
}

/* Puts the keys in order by their ranks, and looks whether they are. */
static void verify(sorter* s) {
    int total = 0, last = -1, previous = -1;
    for (int i = 0; i < s->got_count; ++i) s->sent[s->below[s->got[i] - s->low]++] = s->got[i];
    for (int i = 1; i < s->got_count; ++i) s->wrong += s->sent[i - 1] > s->sent[i];
    if (s->got_count) last = s->sent[s->got_count - 1];
    MPI_Exscan(&last, &previous, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (s->rank && s->got_count && previous > s->sent[0]) ++s->wrong;
    MPI_Allreduce(&s->got_count, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (total != keys) ++s->wrong;
    int wrong = s->wrong;
    MPI_Allreduce(&wrong, &s->wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int sort(sorter* s) {
    generate(s);
    rank_keys(s, 1); /* untimed: connections are made, pages touched */
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int iteration = 1; iteration <= iterations; ++iteration) rank_keys(s, iteration);
    double took = MPI_Wtime() - start, longest = 0;
    MPI_Reduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    verify(s);
    if (!s->rank) {
        printf("is class=S ranks=%d keys=%d iterations=%d seconds=%.6f mops=%.3f verification=%s\n", s->size,
               keys, iterations, longest, (double)iterations * keys / longest / 1e6,
               s->wrong ? "FAILED" : "successful");
    }
    return s->wrong != 0;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    sorter* s = calloc(1, sizeof *s);
    s->mine = calloc(3 * (size_t)keys, sizeof *s->mine);
    s->sent = s->mine + keys;
    s->got = s->sent + keys;
    MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s->size);
    int failed = sort(s);
    free(s->mine);
    free(s);
    MPI_Finalize();
    return failed;
}
