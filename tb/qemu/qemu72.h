/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SARE_QEMU72_H
#define SARE_QEMU72_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Declarations of QEMU 7.2 that the plug-in uses: of its plug-in interface, and of internals that Debian's
 * program exports. Debian has no header for either. They hold for 7.2 on x86-64; the plug-in refuses any
 * other version. */

/* The interface of TCG plug-ins. */
#define QEMU_PLUGIN_API 1

typedef uint64_t qemu_plugin_id_t;

typedef struct {
    const char* target_name;
    struct {
        int min;
        int cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus;
        int max_vcpus;
    } system;
} qemu_info_t;

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t id, unsigned vcpu));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*cb)(qemu_plugin_id_t id, void* data),
                                    void* data);

/* The version of the program that runs. */
typedef struct {
    int64_t major;
    int64_t minor;
    int64_t micro;
} VersionTriple;

typedef struct {
    VersionTriple* qemu;
    char* package;
} VersionInfo;

VersionInfo* qmp_query_version(void** error);

/* Virtual time of the guest, in ns, and timers that call `cb` at a point of it. */
enum { QEMU_CLOCK_VIRTUAL = 1 };

typedef struct QEMUTimerListGroup QEMUTimerListGroup;
extern QEMUTimerListGroup main_loop_tlg;

typedef union {
    max_align_t align;
    char bytes[128]; /* QEMU's needs 48 */
} QEMUTimer;

int64_t qemu_clock_get_ns(int clock);
void timer_init_full(QEMUTimer* timer, QEMUTimerListGroup* group, int clock, int scale, int attributes,
                     void (*cb)(void* data), void* data);
void timer_mod_ns(QEMUTimer* timer, int64_t expires);
void timer_del(QEMUTimer* timer);

/* Registers `cb`, which is called when the machine, completely made, starts or stops to run. */
typedef struct VMChangeStateEntry VMChangeStateEntry;
VMChangeStateEntry* qemu_add_vm_change_state_handler(void (*cb)(void* data, bool running, int state),
                                                     void* data);

/* Returns 0 as long as nothing has asked for the guest's end. */
int qemu_shutdown_requested_get(void);

/* Net clients: both ends of a cable are clients; one of them is the guest's NIC. */
typedef struct NetClientState NetClientState;

enum { NET_CLIENT_DRIVER_STREAM = 6, NET_CLIENT_BYTES = 4096 /* more than QEMU's own part of a client */ };

typedef struct {
    int type;
    size_t size; /* of the client: QEMU's part and ours */
    ssize_t (*receive)(NetClientState* client, const uint8_t* bytes, size_t length);
    void* others[61]; /* more than there are; all may be absent */
} NetClientInfo;

NetClientState* qemu_new_net_client(NetClientInfo* info, NetClientState* peer, const char* model,
                                    const char* name);
ssize_t qemu_send_packet(NetClientState* client, const uint8_t* bytes, int length);

/* Work for the main loop, done as soon as it gets to it. */
typedef struct QEMUBH QEMUBH;
QEMUBH* qemu_bh_new_full(void (*cb)(void* data), void* data, const char* name, void* guard);
void qemu_bh_schedule(QEMUBH* work);

/* The lock of all devices. The two functions are called through pointers, so that a profiler can be put
 * between. */
typedef struct QemuMutex QemuMutex;

typedef union {
    max_align_t align;
    char bytes[128]; /* QEMU's needs 56 */
} QemuCond;

typedef void (*QemuMutexLockFunc)(QemuMutex* mutex, const char* file, int line);
typedef void (*QemuCondWaitFunc)(QemuCond* cond, QemuMutex* mutex, const char* file, int line);

extern QemuMutexLockFunc qemu_bql_mutex_lock_func;
extern QemuCondWaitFunc qemu_cond_wait_func;

void qemu_mutex_lock_impl(QemuMutex* mutex, const char* file, int line);
void qemu_cond_wait_impl(QemuCond* cond, QemuMutex* mutex, const char* file, int line);
void qemu_cond_init(QemuCond* cond);
void qemu_cond_broadcast(QemuCond* cond);
bool qemu_in_vcpu_thread(void);

#endif
