/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "turns.h"

#include "qemu72.h"

/* All of it is guarded by the lock of all devices. QEMU's functions that are replaced carry no data of ours.
 */
static struct {
    bool over;
    bool processor_awake;
    QemuMutex* devices;
    QemuCond processor_sleeps;
} turns;

static void lock_devices(QemuMutex* devices, const char* file, int line) {
    qemu_mutex_lock_impl(devices, file, line);
    turns.devices = devices;
    if (qemu_in_vcpu_thread()) return;
    while (turns.processor_awake && !turns.over) {
        qemu_cond_wait_impl(&turns.processor_sleeps, devices, file, line);
    }
}

static void wait_for(QemuCond* cond, QemuMutex* mutex, const char* file, int line) {
    bool processor_sleeps = mutex == turns.devices && qemu_in_vcpu_thread();
    if (processor_sleeps) {
        turns.processor_awake = false;
        qemu_cond_broadcast(&turns.processor_sleeps);
    }
    qemu_cond_wait_impl(cond, mutex, file, line);
    if (processor_sleeps) turns.processor_awake = true;
}

void turns_begin(void) {
    qemu_cond_init(&turns.processor_sleeps);
    qemu_bql_mutex_lock_func = lock_devices;
    qemu_cond_wait_func = wait_for;
}

void turns_end(void) {
    turns.over = true;
    qemu_cond_broadcast(&turns.processor_sleeps);
}
