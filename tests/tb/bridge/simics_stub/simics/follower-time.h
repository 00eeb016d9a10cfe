/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STUB_SIMICS_FOLLOWER_TIME_H
#define STUB_SIMICS_FOLLOWER_TIME_H
#include <stdint.h>

typedef struct {
    int64_t hi;
    uint64_t lo;
} follower_time_t; /* ps */

static inline follower_time_t follower_time_from_ps(int64_t hi, uint64_t lo) {
    follower_time_t t = {hi, lo};
    return t;
}
static inline uint64_t follower_time_as_ps_lo(follower_time_t t) {
    return t.lo;
}

#endif
