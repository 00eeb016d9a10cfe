/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SARE_TRACE_H
#define SARE_TRACE_H
/** SARE_TRACE_MARK(n): phase n begins, a line `mark n` in the trace; nothing where no library records.
 * docs/capture.md */
#ifdef __cplusplus
extern "C"
#endif
    void
    sare_trace_mark(int phase) __attribute__((weak));
#define SARE_TRACE_MARK(phase) (sare_trace_mark ? sare_trace_mark(phase) : (void)0)
#endif
