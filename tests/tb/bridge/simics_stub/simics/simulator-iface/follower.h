/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STUB_SIMICS_FOLLOWER_H
#define STUB_SIMICS_FOLLOWER_H
#include <simics/device-api.h>
#include <simics/follower-time.h>

SIM_INTERFACE(follower_agent) {
    void (*accept)(conf_object_t * obj, bytes_t msg);
    void (*accept_async)(conf_object_t * obj, bytes_t msg);
};
#define FOLLOWER_AGENT_INTERFACE "follower_agent"

SIM_INTERFACE(leader_message) {
    void (*send)(conf_object_t * obj, follower_time_t time, uint64 skey, bytes_t msg);
    void (*send_async)(conf_object_t * obj, bytes_t msg);
};
#define LEADER_MESSAGE_INTERFACE "leader_message"

#endif
