/* SPDX-License-Identifier: Apache-2.0
 * A computer that is not one, on a network that Sare simulates: node 0 sends a frame to node 1, which sends
 * it back, and so on. Its time is counted in picoseconds; it acts when a frame arrives and at no other time.
 *
 *   cc ping.c -I../../../traffic/bridge/client -L../../../build -lsare_bridge -o ping
 *   ./ping unix:/tmp/net.sock 0 & ./ping unix:/tmp/net.sock 1 [ROUNDS] */
#include <sare_bridge.h>
#include <stdio.h>
#include <stdlib.h>

enum { length = 64 };

int main(int count, char** words) {
    if (count != 3 && count != 4) return fprintf(stderr, "usage: ping ADDRESS NODE [ROUNDS]\n"), 2;
    const uint32_t me = (uint32_t)atoi(words[2]);
    sare_bridge_node node = {me, 1, {{0x02, 0, 0, 0, 0, (uint8_t)me}}};
    sare_bridge_hello hello = {.name = me == 0 ? "first" : "second", .nodes = &node, .node_count = 1};
    sare_bridge_welcome welcome;
    char error[SARE_BRIDGE_MAX_TEXT];
    sare_bridge* b = sare_bridge_connect(words[1], &hello, &welcome, error);
    if (b == NULL) return fprintf(stderr, "ping: %s\n", error), 1;

    uint8_t bytes[length] = {0x02, 0, 0, 0, 0, (uint8_t)(1 - me), 0x02, 0, 0, 0, 0, (uint8_t)me, 0x88, 0xb5};
    uint64_t grant, sent_at = 0, sum = 0;
    const int rounds = count == 4 ? atoi(words[3]) : 1000;
    int left = rounds, status, begun = 0;
    while (left > 0 && (status = sare_bridge_wait(b, &grant)) == 1) {
        sare_bridge_frame frame;
        while (left > 0 && sare_bridge_receive(b, &frame)) {
            sum += frame.time - sent_at;
            if (--left == 0 && me == 0) break; /* the last one has come back */
            sent_at = frame.time;
            sare_bridge_send(b, sent_at, 0, bytes, length);
        }
        if (me == 0 && !begun) sare_bridge_send(b, welcome.start, 0, bytes, length);
        begun = 1;
        sare_bridge_done(b, grant);
    }
    if (left > 0) return fprintf(stderr, "ping: %s\n", sare_bridge_error(b)), 1;
    if (me == 0) printf("round trip: %.3f us\n", (double)sum / rounds * 1e-6);
    sare_bridge_close(b, "all rounds done");
    return 0;
}
