/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STUB_SIMICS_LINK_ENDPOINT_H
#define STUB_SIMICS_LINK_ENDPOINT_H
#include <simics/device-api.h>
#include <simics/follower-time.h>

SIM_INTERFACE(link_endpoint_v2) {
    follower_time_t (*delivery_time)(conf_object_t * obj);
    uint64 (*delivery_skey)(conf_object_t * obj);
};
#define LINK_ENDPOINT_V2_INTERFACE "link_endpoint_v2"

#endif
