/* SPDX-License-Identifier: Apache-2.0 */
/* Included before everything else of a Verilated library: what it prints goes to
 * cosim/rtl/verilated_failure.h.
 */
#pragma once
#ifdef __cplusplus
int sare_verilated_print(const char* format, ...) __attribute__((format(printf, 1, 2)));
#define VL_PRINTF sare_verilated_print
#endif
