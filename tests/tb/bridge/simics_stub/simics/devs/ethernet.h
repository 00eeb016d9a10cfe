/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STUB_SIMICS_ETHERNET_H
#define STUB_SIMICS_ETHERNET_H
#include <simics/device-api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes in pieces. */
typedef struct {
    uint8 bytes[70000];
    size_t len;
} frags_t;
void frags_init_add(frags_t* f, const void* data, size_t len);
void frags_add(frags_t* f, const void* data, size_t len);
size_t frags_len(const frags_t* f);
void frags_extract_slice(const frags_t* f, void* to, size_t offset, size_t len);

typedef enum { Eth_Frame_CRC_Match, Eth_Frame_CRC_Mismatch, Eth_Frame_CRC_Unknown } eth_frame_crc_status_t;

SIM_INTERFACE(ethernet_common) {
    void (*frame)(conf_object_t * obj, const frags_t* frame, eth_frame_crc_status_t crc_status);
};
#define ETHERNET_COMMON_INTERFACE "ethernet_common"

#ifdef __cplusplus
}
#endif
#endif
