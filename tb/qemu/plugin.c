/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -plugin libsare_qemu.so,bridge=ADDRESS[,node=N][,mac=XX:XX:XX:XX:XX:XX][,boot=MS]: see README.md. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node.h"
#include "qemu72.h"
#include "turns.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int qemu_plugin_version = QEMU_PLUGIN_API;

typedef struct {
    const char* address;
    int64_t boot; /* ns */
    sare_bridge_node node;
    char name[SARE_BRIDGE_MAX_NAME];
} options;

/* The callback for a new processor has no argument of its own. */
static node* the_node;

static int refuse(const char* why) {
    fprintf(stderr, "sare: %s\n", why);
    return 1;
}

/* `key=VALUE`: the value, else NULL. */
static const char* value_of(const char* argument, const char* key) {
    size_t length = strlen(key);
    return !strncmp(argument, key, length) && argument[length] == '=' ? argument + length + 1 : NULL;
}

static int parse_number(const char* text, uint64_t most, uint64_t* number) {
    char* end;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && *number <= most;
}

static int parse_mac(const char* text, uint8_t mac[6]) {
    int length = 0;
    int read = sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &mac[0], &mac[1], &mac[2], &mac[3],
                      &mac[4], &mac[5], &length);
    return read == 6 && !text[length];
}

static int parse(const char* argument, options* o) {
    const char* value;
    uint64_t number = 0;
    if ((value = value_of(argument, "bridge"))) {
        o->address = value;
        return 1;
    }
    if ((value = value_of(argument, "node"))) {
        int good = parse_number(value, SARE_BRIDGE_ANY_NODE - 1, &number);
        o->node.node = (uint32_t)number;
        snprintf(o->name, sizeof o->name, "guest %" PRIu64, number);
        return good;
    }
    if ((value = value_of(argument, "mac"))) return parse_mac(value, o->node.mac[o->node.macs++]);
    if ((value = value_of(argument, "boot"))) {
        int good = parse_number(value, 1000000000, &number);
        o->boot = (int64_t)number * 1000000;
        return good;
    }
    return 0;
}

/* Without `-icount shift=N,sleep=off` the guest's time is the host's. QEMU does not tell so early; its
 * command line does. */
static int keeps_the_hosts_time(void) {
    char line[65536];
    FILE* file = fopen("/proc/self/cmdline", "rb");
    if (!file) return 1;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = 0;
    int icount = 0;
    for (char* word = line; word < line + length; word += strlen(word) + 1) {
        if (icount && strstr(word, "sleep=off")) return 0;
        icount = !strcmp(word, "-icount") || !strcmp(word, "--icount");
    }
    return 1;
}

static int wrong_machine(const qemu_info_t* info) {
    char text[256];
    VersionTriple* is = qmp_query_version(NULL)->qemu;
    if (is->major != 7 || is->minor != 2) {
        snprintf(text, sizeof text,
                 "this is QEMU %" PRId64 ".%" PRId64 ", the plug-in is for 7.2 alone (Debian 12)", is->major,
                 is->minor);
        return refuse(text);
    }
    if (!info->system_emulation || strcmp(info->target_name, "x86_64")) {
        return refuse("the plug-in is for qemu-system-x86_64");
    }
    if (info->system.max_vcpus != 1) return refuse("a guest has one processor: -smp 1");
    if (keeps_the_hosts_time())
        return refuse("needs -icount shift=N,sleep=off: without it the guest's time is the host's");
    return 0;
}

static void at_processor(qemu_plugin_id_t id, unsigned vcpu) {
    (void)id;
    if (vcpu) return;
    turns_begin();
    node_attach(the_node);
}

static void at_exit(qemu_plugin_id_t id, void* data) {
    (void)id;
    node_leave(data);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc, char** argv) {
    char error[SARE_BRIDGE_MAX_TEXT];
    options o = {.address = getenv("SARE_BRIDGE"), .node = {.node = SARE_BRIDGE_ANY_NODE}, .name = "guest"};
    if (wrong_machine(info)) return 1;
    for (int i = 0; i < argc; ++i) {
        if (o.node.macs == SARE_BRIDGE_MAX_MACS || !parse(argv[i], &o)) {
            snprintf(error, sizeof error,
                     "'%s' is no option; bridge=unix:PATH, node=N, mac=XX:XX:XX:XX:XX:XX, boot=MS are",
                     argv[i]);
            return refuse(error);
        }
    }
    if (!o.address)
        return refuse("no address of the network: bridge=unix:PATH, or SARE_BRIDGE of the environment");
    sare_bridge_hello hello = {.name = o.name, .nodes = &o.node, .node_count = 1};
    sare_bridge_welcome welcome;
    sare_bridge* bridge = sare_bridge_connect(o.address, &hello, &welcome, error);
    if (!bridge) return refuse(error);
    the_node = node_create(bridge, &welcome, o.boot);
    qemu_plugin_register_vcpu_init_cb(id, at_processor);
    qemu_plugin_register_atexit_cb(id, at_exit, the_node);
    return 0;
}
