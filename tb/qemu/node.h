/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SARE_QEMU_NODE_H
#define SARE_QEMU_NODE_H
#include <stdint.h>

#include "traffic/bridge/client/sare_bridge.h"

/* A QEMU guest as a node of the network: the other end of the cable of its NIC (`-device e1000,netdev=sare`).
 */
typedef struct node node;

/* Makes a node for a session of the bridge that has got its `welcome`. `boot`: guest time, in ns, at which
 * the network's time begins; frames that the guest sends before `boot` are lost. */
node* node_create(sare_bridge* bridge, const sare_bridge_welcome* welcome, int64_t boot);

/* Makes the netdev `sare` and the guest's first stop, at `boot`. Call when QEMU's clocks are there and the
 * guest's devices are not. */
void node_attach(node* n);

/* Says goodbye to the network and prints counts of frames and stops. Later calls do nothing. */
void node_leave(node* n);

#endif
