// SPDX-License-Identifier: Apache-2.0
// Where routers, nodes, links and buffers are drawn. Lengths are in units of the distance of the nearest two routers; y
// grows downwards.
"use strict";

const BOX = 0.3;         // half the width of a router
const LANE = 0.055;      // from the middle of a link to the lane of each direction
const BLOCK = 0.17;      // length of the buffers of a port, and NODE_BLOCK of one that leads to a node
const NODE_BLOCK = 0.1;
const STUB = 0.72;       // length of the stub of a link round an edge
const NODE = 0.53;       // from a router to its nodes

/// Places of routers that have none: those of springs as long as the ways between them are (stress majorisation).
function spring_places(count, neighbours) {
    const x = new Float64Array(count), y = new Float64Array(count), distance = [];
    for (let a = 0; a < count; ++a) {
        const d = new Float64Array(count).fill(NONE), queue = [a];
        d[a] = 0;
        for (const b of queue) for (const c of neighbours[b]) if (d[c] < 0) { d[c] = d[b] + 1; queue.push(c); }
        distance.push(d.map(far => far < 0 ? Math.sqrt(count) : far));
        [x[a], y[a]] = [Math.cos(2.4 * a) * Math.sqrt(a), Math.sin(2.4 * a) * Math.sqrt(a)];  // a sunflower to begin with
    }
    for (let turn = 0; turn < Math.min(200, 4e7 / (count * count)); ++turn)
        for (let a = 0; a < count; ++a) {
            let weights = 0, sx = 0, sy = 0;
            for (let b = 0; b < count; ++b) {
                if (a === b) continue;
                const dx = x[a] - x[b], dy = y[a] - y[b], long = Math.hypot(dx, dy) || 1e-6, d = distance[a][b], w = 1 / (d * d);
                weights += w;
                sx += w * (x[b] + d * dx / long);
                sy += w * (y[b] + d * dy / long);
            }
            if (weights) [x[a], y[a]] = [sx / weights, sy / weights];
        }
    return [x, y];
}

class Plan {
    constructor(network, wiring) {
        Object.assign(this, {network, wiring});
        this.place_routers();
        this.turn_ports();
        this.place_nodes();
        this.lanes = network.links.map((link, k) => this.lane(link, k));
        this.bound();
    }

    place_routers() {
        const routers = this.network.routers, count = routers.length;
        if (routers.every(r => r.at)) {
            this.x = Float64Array.from(routers, r => r.at[0]);
            this.y = Float64Array.from(routers, r => -r.at[1]);
        } else if (count <= 1500) {
            const neighbours = routers.map(() => new Set());
            for (const [from_node, from, , to_node, to] of this.network.links)
                if (!from_node && !to_node && from !== to) { neighbours[from].add(to); neighbours[to].add(from); }
            [this.x, this.y] = spring_places(count, neighbours);
            this.spread();
        } else {
            const side = Math.ceil(Math.sqrt(count));
            this.x = Float64Array.from(routers, (_, r) => r % side);
            this.y = Float64Array.from(routers, (_, r) => Math.floor(r / side));
        }
    }
    /// Makes the nearest two routers 1 apart, or nearly so: two that coincide do not make all others far away.
    spread() {
        const near = [];
        for (let a = 0; a < this.x.length; ++a) {
            let least = Infinity;
            for (let b = 0; b < this.x.length; ++b) if (b !== a) least = Math.min(least, Math.hypot(this.x[a] - this.x[b], this.y[a] - this.y[b]));
            near.push(least);
        }
        const unit = near.sort((a, b) => a - b)[Math.floor(near.length / 10)] || 1;
        this.x = this.x.map(v => v / unit);
        this.y = this.y.map(v => v / unit);
    }

    /// By router and port: the angle in which its link leaves, and how far aside of others to the same router.
    turn_ports() {
        const {network} = this;
        this.angle = network.routers.map(r => new Float64Array(r.ports.length).fill(NaN));
        this.aside = network.routers.map(r => new Float64Array(r.ports.length));
        this.stubs = network.routers.map(r => r.ports.map(p => p.length > 2));
        const parallel = new Map();
        const turn = (router, port, other) => {
            if (!Number.isNaN(this.angle[router][port])) return;
            const stub = network.routers[router].ports[port][2];
            const to = Math.atan2(this.y[other] - this.y[router], this.x[other] - this.x[router]);
            this.angle[router][port] = stub === undefined ? to : -stub * Math.PI / 180;
            if (stub !== undefined) return;
            const key = router * 65536 + other, before = parallel.get(key) || 0;
            parallel.set(key, before + 1);
            this.aside[router][port] = before * 4 * LANE * (router < other ? 1 : -1);
        };
        for (const [from_node, from, from_port, to_node, to, to_port] of network.links) {
            if (from_node || to_node) continue;
            turn(from, from_port, to);
            turn(to, to_port, from);
        }
    }

    /// Nodes are in the widest gap between the links of their router, at its lower right if that is free.
    place_nodes() {
        const {network} = this, of_router = network.routers.map(() => []);
        this.leads_to_node = network.routers.map(r => new Uint8Array(r.ports.length));
        for (const [, to, in_port, from, out_port] of network.nodes) this.leads_to_node[to][in_port] = this.leads_to_node[from][out_port] = 1;
        network.nodes.forEach(([, router], n) => of_router[router].push(n));
        this.node = network.nodes.map(() => null);
        of_router.forEach((nodes, router) => {
            if (nodes.length === 0) return;
            const taken = [...this.angle[router]].filter(a => !Number.isNaN(a));
            const gap = a => Math.min(Math.PI, ...taken.map(t => Math.abs(Math.atan2(Math.sin(a - t), Math.cos(a - t)))));
            let middle = Math.PI / 4;
            if (gap(middle) < 0.6) for (let a = 0; a < 48; ++a) if (gap(a * Math.PI / 24) > gap(middle) + 1e-6) middle = a * Math.PI / 24;
            const room = Math.min(1.6 * gap(middle), 0.42 * nodes.length);
            nodes.forEach((n, k) => {
                const angle = middle + (nodes.length === 1 ? 0 : room * (k / (nodes.length - 1) - 0.5));
                this.node[n] = {x: this.x[router] + NODE * Math.cos(angle), y: this.y[router] + NODE * Math.sin(angle), angle, router,
                                size: Math.min(0.065, 0.4 * NODE * room / nodes.length || 0.065)};
                for (const [at, port] of [[network.nodes[n][1], network.nodes[n][2]], [network.nodes[n][3], network.nodes[n][4]]])
                    if (at === router && Number.isNaN(this.angle[at][port])) this.angle[at][port] = angle;
            });
        });
        // A node that gets its packets from another router than it sends to is drawn there alone.
        network.nodes.forEach(([, , , router, port], n) => {
            if (!Number.isNaN(this.angle[router][port])) return;
            this.angle[router][port] = Math.PI / 4;
            this.node[n].far = true;
        });
    }

    /// A point at the border of a router where a port is; `side`: 1 where it sends, -1 where it receives.
    border(router, port, side, depth = 0) {
        const a = this.angle[router][port], c = Math.cos(a), s = Math.sin(a), lane = side * LANE + this.aside[router][port];
        const corner = this.leads_to_node[router][port] ? 0.06 : 0;  // it must not stick out of a corner
        const long = Math.min(BOX / Math.max(Math.abs(c), Math.abs(s)) - corner, BOX * 1.3) - depth;
        return [this.x[router] + c * long - s * lane, this.y[router] + s * long + c * lane];
    }
    /// The lines of a link: [x, y, x, y], one or two of them.
    lane([from_node, from, from_port, to_node, to, to_port]) {
        if (from_node || to_node) {
            const n = this.node[from_node ? from : to], [router, port] = from_node ? [to, to_port] : [from, from_port];
            const a = this.angle[router][port], side = from_node ? -0.5 : 0.5;
            const [x, y] = this.border(router, port, side);
            const end = NODE - n.size, at = [this.x[router] + Math.cos(a) * end - Math.sin(a) * side * LANE,
                                             this.y[router] + Math.sin(a) * end + Math.cos(a) * side * LANE];
            return [from_node ? [...at, x, y] : [x, y, ...at]];
        }
        const begin = this.border(from, from_port, 1), end = this.border(to, to_port, -1);
        if (!this.stubs[from][from_port] && !this.stubs[to][to_port]) return [[...begin, ...end]];
        const out = this.angle[from][from_port], back = this.angle[to][to_port], long = STUB - BOX;
        return [[...begin, begin[0] + Math.cos(out) * long, begin[1] + Math.sin(out) * long],
                [end[0] + Math.cos(back) * long, end[1] + Math.sin(back) * long, ...end]];
    }
    /// A point of a link, by the share of the way.
    along(link, share) {
        const lines = this.lanes[link], part = Math.min(Math.floor(share * lines.length), lines.length - 1);
        const [x, y, to_x, to_y] = lines[part], rest = share * lines.length - part;
        return [x + (to_x - x) * rest, y + (to_y - y) * rest];
    }
    /// Length and width of the buffers of a port.
    block(router, port) {
        const small = this.leads_to_node[router][port] ? 0.6 : 1, crowd = Math.min(1, 8 * BOX / this.network.routers[router].ports.length * 3.3);
        return [small < 1 ? NODE_BLOCK : BLOCK, 0.2 * small * crowd];
    }

    bound() {
        let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
        const add = (x, y) => { left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y); };
        for (let r = 0; r < this.x.length; ++r) { add(this.x[r] - BOX, this.y[r] - BOX); add(this.x[r] + BOX, this.y[r] + BOX); }
        for (const lines of this.lanes) for (const [x, y, to_x, to_y] of lines) { add(x, y); add(to_x, to_y); }
        Object.assign(this, {left, right, top, bottom});
    }
}
