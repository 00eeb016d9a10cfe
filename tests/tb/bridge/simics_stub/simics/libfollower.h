/* SPDX-License-Identifier: Apache-2.0
 * A stand-in for Simics' Time Synchronization Library, after its chapter in the Model Builder User's Guide.
 */
#ifndef STUB_SIMICS_LIBFOLLOWER_H
#define STUB_SIMICS_LIBFOLLOWER_H
#include <simics/follower-time.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct simics_follower simics_follower_t;
typedef struct {
    void (*proceed_to)(void* param, follower_time_t limit);
    void (*report_at)(void* param, follower_time_t when);
    void (*accept_message)(void* param, follower_time_t when, uint64_t skey, const uint8_t* msg, int msg_len);
    void (*accept_async_message)(void* param, const uint8_t* msg, int msg_len);
    void (*bye)(void* param);
} simics_follower_ops_t;

simics_follower_t* new_simics_follower(void);
void destroy_simics_follower(simics_follower_t* ss);
bool simics_follower_connect(simics_follower_t* ss, const char* host, int port);
int simics_follower_descriptor(simics_follower_t* ss);
void handle_simics_message(simics_follower_t* ss, const simics_follower_ops_t* ops, void* param);
void simics_follower_report(simics_follower_t* ss, follower_time_t time);
void simics_follower_send_message(simics_follower_t* ss, follower_time_t now, const uint8_t* data,
                                  unsigned data_len);

#ifdef __cplusplus
}
#endif
#endif
