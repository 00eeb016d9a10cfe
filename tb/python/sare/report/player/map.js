// SPDX-License-Identifier: Apache-2.0
// Draws the network after a cycle, and answers what is at a point.
"use strict";

const STEPS = 16;  // of a ramp of colours

/// Colours of the style sheet, and which of them a flit has.
class Colours {
    constructor(record) { this.record = record; this.by = "age"; this.read(); this.measure(); }
    read() {
        const style = getComputedStyle(document.documentElement), get = name => style.getPropertyValue(name).trim();
        for (const name of ["surface", "page", "ink", "muted", "line", "shade", "link", "router", "bad", "accent"]) this[name] = get("--" + name);
        const mix = (name, k) => {
            const stops = get(name).split(/\s+/).map(hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)));
            const place = k / (STEPS - 1) * (stops.length - 1), low = Math.min(Math.floor(place), stops.length - 2);
            return `rgb(${stops[low].map((c, n) => Math.round(c + (stops[low + 1][n] - c) * (place - low))).join(",")})`;
        };
        this.ramp = Array.from({length: STEPS}, (_, k) => mix("--ramp", k));
        this.sweep = Array.from({length: STEPS}, (_, k) => mix("--sweep", k));
        this.series = Array.from({length: 8}, (_, k) => get("--c" + k));
    }
    /// The age that gets the last colour: 19 of 20 packets are done before.
    measure() {
        const t = this.record.table, ages = [];
        for (let p = 0; p < t.end.length; p += Math.ceil(t.end.length / 20000)) if (t.end[p] < Infinity) ages.push(t.end[p] - t.injected[p]);
        this.old = Math.max(8, ages.sort((a, b) => a - b)[Math.floor(ages.length * 0.95)] || 64);
    }
    get palette() { return {age: this.ramp, destination: this.sweep, class: this.series, packet: this.series}[this.by]; }
    /// The number of the colour of a packet in a cycle of the run.
    of(packet, cycle) {
        const t = this.record.table;
        switch (this.by) {
            case "age": return Math.max(0, Math.min(STEPS - 1, Math.floor((cycle - t.injected[packet]) / this.old * STEPS)));
            case "destination": return Math.floor(t.destination[packet] / Math.max(1, this.record.network.nodes.length - 1) * (STEPS - 1));
            case "class": return t.class[packet] % 8;
            default: return t.number[packet] % 8;
        }
    }
    css(packet, cycle) { return this.palette[this.of(packet, cycle)]; }
}

class NetworkMap {
    constructor(canvas, source, colours) {
        Object.assign(this, {canvas, source, colours});
        this.network = source.record.network;
        this.wiring = source.wiring;
        this.plan = new Plan(this.network, this.wiring);
        this.pen = canvas.getContext("2d");
        this.still = document.createElement("canvas");  // what does not move
        this.router = this.packet = this.node = NONE;   // what is looked at
        this.capacity = this.network.routers.map((r, k) => r.depth * this.wiring.vcs * new Set(this.network.links.filter(l => !l[3] && l[4] === k).map(l => l[5])).size || 1);
        this.resize();
    }

    // ---- view

    resize() {
        const box = this.canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
        const fitted = !this.width || this.is_fitted;
        [this.width, this.height, this.ratio] = [box.width, box.height, ratio];
        for (const c of [this.canvas, this.still]) [c.width, c.height] = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
        if (fitted) this.fit(); else this.stale = true;
    }
    fit() {
        const p = this.plan, wide = p.right - p.left + 0.3, high = p.bottom - p.top + 0.4, head = this.width < 500 ? 0 : 40;
        this.scale = Math.min(this.width / wide, (this.height - head) / high, 420);
        this.dx = this.width / 2 - this.scale * (p.left + p.right) / 2;
        this.dy = head + (this.height - head) / 2 - this.scale * (p.top + p.bottom) / 2;
        this.is_fitted = this.stale = true;
    }
    zoom(factor, x = this.width / 2, y = this.height / 2) {
        factor = Math.max(4, Math.min(900, this.scale * factor)) / this.scale;
        this.dx = x - (x - this.dx) * factor;
        this.dy = y - (y - this.dy) * factor;
        this.scale *= factor;
        this.is_fitted = false;
        this.stale = true;
    }
    move(dx, dy) { this.dx += dx; this.dy += dy; this.is_fitted = false; this.stale = true; }
    centre(x, y) { this.move(this.width / 2 - this.sx(x), this.height / 2 - this.sy(y)); }
    sx(x) { return x * this.scale + this.dx; }
    sy(y) { return y * this.scale + this.dy; }
    sees(r) {
        const x = this.sx(this.plan.x[r]), y = this.sy(this.plan.y[r]), rim = this.scale;
        return x > -rim && x < this.width + rim && y > -rim && y < this.height + rim;
    }
    get shows_buffers() { return this.scale >= 62; }

    // ---- what does not move

    draw_still() {
        const pen = this.still.getContext("2d"), {plan, colours, scale} = this;
        pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        pen.clearRect(0, 0, this.width, this.height);
        const worst = new Set((this.marked || []).map(({router, port}) => this.wiring.link_of[this.wiring.first[router] + port * this.wiring.vcs]));
        for (const marked of [false, true]) {
            pen.beginPath();
            plan.lanes.forEach((lines, k) => {
                if (worst.has(k) !== marked) return;
                for (const [x, y, to_x, to_y] of lines) { pen.moveTo(this.sx(x), this.sy(y)); pen.lineTo(this.sx(to_x), this.sy(to_y)); }
                if (scale >= 40) this.add_arrow(pen, lines[lines.length - 1]);
            });
            pen.strokeStyle = marked ? colours.bad : colours.link;
            pen.lineWidth = Math.max(0.6, Math.min(marked ? 3.4 : 2, 0.018 * scale * (marked ? 1.6 : 1)));
            pen.stroke();
        }
        pen.fillStyle = colours.router;
        pen.strokeStyle = colours.muted;
        pen.lineWidth = scale > 30 ? 1 : 0.5;
        const side = 2 * BOX * scale;
        for (let r = 0; r < plan.x.length; ++r) {
            if (!this.sees(r)) continue;
            pen.beginPath();
            pen.roundRect(this.sx(plan.x[r] - BOX), this.sy(plan.y[r] - BOX), side, side, Math.min(8, 0.05 * scale));
            pen.fill();
            pen.stroke();
        }
        if (scale >= 34) this.draw_nodes(pen);
        this.name_places(pen);
        this.stale = false;
    }
    add_arrow(pen, [x, y, to_x, to_y]) {
        const long = Math.hypot(to_x - x, to_y - y) || 1, head = 0.045, c = (to_x - x) / long * head, s = (to_y - y) / long * head;
        pen.moveTo(this.sx(to_x - c - s * 0.6), this.sy(to_y - s + c * 0.6));
        pen.lineTo(this.sx(to_x), this.sy(to_y));
        pen.lineTo(this.sx(to_x - c + s * 0.6), this.sy(to_y - s - c * 0.6));
    }
    draw_nodes(pen) {
        pen.fillStyle = this.colours.surface;
        for (const n of this.plan.node) {
            pen.beginPath();
            pen.arc(this.sx(n.x), this.sy(n.y), Math.max(1.5, n.size * this.scale), 0, 7);
            pen.fill();
            pen.stroke();
        }
    }
    name_places(pen) {
        const {plan, scale, network} = this, small = Math.min(13, 0.13 * scale);
        pen.textAlign = "center";
        pen.textBaseline = "middle";
        if (small < 5.5) return;
        pen.fillStyle = this.colours.muted;
        pen.font = `${small}px system-ui, "Liberation Sans", sans-serif`;
        for (let r = 0; r < plan.x.length; ++r)
            if (this.sees(r)) pen.fillText(network.routers[r].name || r, this.sx(plan.x[r]), this.sy(plan.y[r]), 0.5 * scale);
        if (scale < 150) return;
        pen.font = `${Math.min(12, 0.06 * scale)}px system-ui, "Liberation Sans", sans-serif`;
        plan.node.forEach((n, k) => {
            const far = NODE + n.size + 0.07;
            pen.fillText(network.nodes[k][0] || k, this.sx(plan.x[n.router] + Math.cos(n.angle) * far), this.sy(plan.y[n.router] + Math.sin(n.angle) * far));
        });
    }

    // ---- what moves

    /// `part`: of the next cycle, 0 to 1.
    draw(part) {
        const {pen, colours, source} = this;
        if (this.stale) this.draw_still();
        pen.setTransform(1, 0, 0, 1, 0, 0);
        pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
        pen.drawImage(this.still, 0, 0);
        pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        this.time = source.state.cycle + part;
        this.run_time = source.state.cycle + source.record.from;
        this.spots = [];  // flits on links: x, y, flit
        if (this.packet !== NONE) this.draw_trail();
        if (this.shows_buffers) this.draw_buffers(); else this.draw_fill();
        this.draw_flits();
        this.draw_marks();
        return colours;
    }
    is_picked(packet) {
        return this.packet !== NONE ? packet === this.packet : this.node === NONE || this.source.record.table.destination[packet] === this.node;
    }
    get picks() { return this.packet !== NONE || this.node !== NONE; }

    draw_fill() {
        const {pen, plan, source, wiring} = this, side = 2 * BOX * this.scale;
        for (let r = 0; r < plan.x.length; ++r) {
            if (!this.sees(r)) continue;
            let flits = 0;
            for (let i = wiring.first[r]; i < wiring.first[r + 1]; ++i) flits += source.state.flits[i].length;
            if (flits === 0) continue;
            const share = Math.min(1, flits / this.capacity[r]);
            pen.fillStyle = this.colours.ramp[Math.min(STEPS - 1, Math.floor(Math.sqrt(share) * STEPS))];
            pen.globalAlpha = this.picks ? 0.35 : 1;
            pen.fillRect(this.sx(plan.x[r] - BOX), this.sy(plan.y[r] - BOX), side, side);
        }
        pen.globalAlpha = 1;
    }
    /// Buffers lie behind the lanes that lead to them, a row a VC, the flit at the front innermost.
    draw_buffers() {
        const {pen, plan, wiring, source, network} = this, {state} = source, vcs = wiring.vcs;
        for (let r = 0; r < plan.x.length; ++r) {
            if (!this.sees(r)) continue;
            const depth = Math.min(network.routers[r].depth, 32);
            network.routers[r].ports.forEach((_, p) => {
                const first = wiring.first[r] + p * vcs;
                if (Number.isNaN(plan.angle[r][p]) || wiring.link_to[first] === NONE) return;
                const [long, width] = plan.block(r, p), [x, y] = plan.border(r, p, -1, long);
                pen.save();
                pen.translate(this.sx(x), this.sy(y));
                pen.rotate(plan.angle[r][p]);
                this.draw_block(first, width * this.scale, long * this.scale, depth, state);
                pen.restore();
            });
        }
        pen.globalAlpha = 1;
    }
    draw_block(first, width, long, depth, state) {
        const {pen, colours} = this, vcs = this.wiring.vcs, row = width / vcs, cell = long / depth, rim = row > 5 ? 0.8 : 0.3, gap = cell > 4 ? 0.8 : 0;
        pen.globalAlpha = 1;
        pen.fillStyle = colours.page;
        pen.fillRect(0, -width / 2, long, width);
        for (let v = 0; v < vcs; ++v) {
            const flits = state.flits[first + v], y = -width / 2 + v * row;
            for (let k = 0; k < flits.length && k < depth; ++k) {
                const packet = packetOf(flits[k]), own = this.is_picked(packet);
                pen.globalAlpha = own ? 1 : 0.22;
                pen.fillStyle = colours.css(packet, this.run_time);
                pen.fillRect(k * cell + gap / 2, y + rim / 2, cell - gap, row - rim);
                if (own && this.packet !== NONE) { pen.strokeStyle = colours.ink; pen.lineWidth = 1.2; pen.strokeRect(k * cell, y, cell, row); }
            }
            if (row > 5 && waits(state, first + v)) {
                pen.globalAlpha = 1;
                pen.fillStyle = colours.bad;
                pen.fillRect(-3, y + rim, 2, row - 2 * rim);
            }
        }
        pen.globalAlpha = 1;
        pen.strokeStyle = colours.muted;
        pen.lineWidth = 0.5;
        pen.strokeRect(0, -width / 2, long, width);
    }
    draw_flits() {
        const {plan, wiring, source} = this, {state} = source;
        this.heaps = this.colours.palette.map(() => []);
        for (let k = 0; k < plan.lanes.length; ++k) {
            const way = state.way[k];
            if (wiring.link_from_vc[k] === NONE) continue;  // a node does not show when a flit leaves it
            for (let n = 0; n < way.length; n += 3) this.put(k, way[n], (this.time - way[n + 2]) / state.delay[k]);
        }
        for (const [k, flit] of source.injected || []) this.put(k, flit, this.time - state.cycle);
        const size = Math.max(1.2, Math.min(6.5, 0.034 * this.scale));
        for (const own of [false, true]) {
            this.pen.globalAlpha = own || !this.picks ? 1 : 0.22;
            this.heaps.forEach((heap, colour) => this.fill_heap(heap, colour, own, size));
        }
        this.pen.globalAlpha = 1;
    }
    put(link, flit, share) {
        if (share > 3) return;  // lost on its way
        const [x, y] = this.plan.along(link, Math.max(0, Math.min(1, share))), sx = this.sx(x), sy = this.sy(y);
        if (sx < -9 || sy < -9 || sx > this.width + 9 || sy > this.height + 9) return;
        this.spots.push(sx, sy, flit);
        this.heaps[this.colours.of(packetOf(flit), this.run_time)].push(sx, sy, flit);
    }
    fill_heap(heap, colour, own, size) {
        const {pen, colours} = this, rings = size > 2.6;
        pen.beginPath();
        for (let n = 0; n < heap.length; n += 3) {
            const [x, y, flit] = [heap[n], heap[n + 1], heap[n + 2]];
            if (this.picks ? this.is_picked(packetOf(flit)) !== own : own) continue;
            const r = size * (flit % FLITS === 0 ? 1.15 : 0.85) * (own ? 1.35 : 1);
            if (rings || own) { pen.moveTo(x + r, y); pen.arc(x, y, r, 0, 7); } else pen.rect(x - r, y - r, 2 * r, 2 * r);
        }
        pen.fillStyle = colours.palette[colour];
        pen.fill();
        if (!rings && !own) return;
        pen.lineWidth = own ? 1.6 : 0.7;
        pen.strokeStyle = colours.ink;
        pen.stroke();
    }
    draw_trail() {
        const {pen, plan, source, wiring} = this, visits = source.tour ? source.tour.visits.of(this.packet) : [], t = source.record.table;
        const points = visits.map(v => wiring.router[v.input]).map(r => [this.sx(plan.x[r]), this.sy(plan.y[r])]);
        const [from, to] = [plan.node[t.source[this.packet]], plan.node[t.destination[this.packet]]];
        if (from) points.unshift([this.sx(from.x), this.sy(from.y)]);
        if (to && t.end[this.packet] < Infinity) points.push([this.sx(to.x), this.sy(to.y)]);
        pen.strokeStyle = this.colours.accent;
        pen.globalAlpha = 0.28;
        pen.lineWidth = Math.max(4, 0.07 * this.scale);
        pen.lineJoin = pen.lineCap = "round";
        pen.beginPath();
        points.forEach(([x, y], k) => k ? pen.lineTo(x, y) : pen.moveTo(x, y));
        pen.stroke();
        pen.globalAlpha = 1;
    }
    draw_marks() {
        const {pen, plan, colours} = this;
        const frame = (r, colour, width) => {
            const rim = 4 + width, side = 2 * BOX * this.scale;
            pen.strokeStyle = colour;
            pen.lineWidth = width;
            pen.strokeRect(this.sx(plan.x[r] - BOX) - rim / 2, this.sy(plan.y[r] - BOX) - rim / 2, side + rim, side + rim);
        };
        if (this.router !== NONE) frame(this.router, colours.accent, 3);
        if (this.node !== NONE) {
            const n = plan.node[this.node];
            pen.strokeStyle = colours.accent;
            pen.lineWidth = 3;
            pen.beginPath();
            pen.arc(this.sx(n.x), this.sy(n.y), n.size * this.scale + 4, 0, 7);
            pen.stroke();
        }
        if (!this.marked || !this.marked.length) return;
        const {router, port} = this.marked[0], link = this.wiring.link_of[this.wiring.first[router] + port * this.wiring.vcs];
        if (link === NONE) return;
        const [x, y] = plan.along(link, 0.5 / plan.lanes[link].length), a = plan.angle[router][port], off = 0.1 * this.scale + 3, size = Math.max(4, Math.min(8, 0.07 * this.scale));
        const at_x = this.sx(x) - Math.sin(a) * off, at_y = this.sy(y) + Math.cos(a) * off;
        pen.fillStyle = colours.bad;
        pen.strokeStyle = colours.page;
        pen.lineWidth = 1.5;
        pen.beginPath();
        pen.moveTo(at_x, at_y - size);
        pen.lineTo(at_x + size, at_y + 0.8 * size);
        pen.lineTo(at_x - size, at_y + 0.8 * size);
        pen.closePath();
        pen.fill();
        pen.stroke();
    }

    // ---- what is at a point

    at(px, py) {
        const {plan, wiring} = this;
        let found = null, near = 9;
        for (let n = 0; n < (this.spots || []).length; n += 3) {
            const far = Math.hypot(this.spots[n] - px, this.spots[n + 1] - py);
            if (far < near) [near, found] = [far, {flit: this.spots[n + 2]}];
        }
        if (found) return found;
        const x = (px - this.dx) / this.scale, y = (py - this.dy) / this.scale, rim = 2 / this.scale;
        for (let n = 0; n < plan.node.length; ++n)
            if (Math.hypot(plan.node[n].x - x, plan.node[n].y - y) < plan.node[n].size + 3 * rim) return {node: n};
        for (let r = 0; r < plan.x.length; ++r)
            if (Math.abs(plan.x[r] - x) < BOX + rim && Math.abs(plan.y[r] - y) < BOX + rim) return {router: r, ...this.buffered_at(r, x, y)};
        let link = NONE, least = Math.max(0.05, 5 / this.scale);
        plan.lanes.forEach((lines, k) => {
            for (const [ax, ay, bx, by] of lines) {
                const long = Math.hypot(bx - ax, by - ay) || 1, along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long;
                const aside = Math.abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / long;
                if (along > 0 && along < long && aside < least) [link, least] = [k, aside];
            }
        });
        return link === NONE ? null : {link};
    }
    /// The flit that is drawn in a buffer of a router there.
    buffered_at(r, x, y) {
        const {plan, wiring, network} = this, depth = Math.min(network.routers[r].depth, 32);
        if (!this.shows_buffers) return {};
        for (let p = 0; p < network.routers[r].ports.length; ++p) {
            const first = wiring.first[r] + p * wiring.vcs, a = plan.angle[r][p];
            if (Number.isNaN(a) || wiring.link_to[first] === NONE) continue;
            const [long, width] = plan.block(r, p), [bx, by] = plan.border(r, p, -1, long), c = Math.cos(a), s = Math.sin(a);
            const along = (x - bx) * c + (y - by) * s, across = (y - by) * c - (x - bx) * s;
            if (along < 0 || along > long || Math.abs(across) > width / 2) continue;
            const v = Math.min(wiring.vcs - 1, Math.floor((across / width + 0.5) * wiring.vcs));
            const flit = this.source.state.flits[first + v][Math.floor(along / long * depth)];
            return flit === undefined ? {} : {flit};
        }
        return {};
    }
}
