// SPDX-License-Identifier: Apache-2.0
// Where the page gets the states of the network from: a record (RecordSource), or a server that steps one (LiveSource).
// Both have `record` (network, table of packets), `wiring`, `state`, and show(cycle). A Tour goes through a record once,
// for what only all of it can tell.
"use strict";

/// A list of numbers that grows.
class Growing {
    constructor(type) { this.values = new type(1024); this.length = 0; }
    push(value) {
        if (this.length === this.values.length) {
            const more = new this.values.constructor(2 * this.length);
            more.set(this.values);
            this.values = more;
        }
        this.values[this.length++] = value;
    }
}

/// Visits of packets to routers: arrival of the head in an input VC, and its departure.
class Visits {
    constructor() {
        this.packet = new Growing(Int32Array); this.input = new Growing(Int32Array); this.came = new Growing(Int32Array);
        this.went = new Growing(Int32Array);
        this.open = new Map();  // by input VC: visits of heads that are in it
    }
    come(packet, input, cycle) {
        if (!this.open.has(input)) this.open.set(input, []);
        this.open.get(input).push(this.packet.length);
        this.packet.push(packet); this.input.push(input); this.came.push(cycle); this.went.push(NONE);
    }
    go(packet, input, cycle) {
        const open = this.open.get(input) || [], k = open.findIndex(visit => this.packet.values[visit] === packet);
        if (k >= 0) this.went.values[open.splice(k, 1)[0]] = cycle;
    }
    /// Sorts the visits by packet.
    finish(packets) {
        this.begin = new Int32Array(packets + 1);
        for (let k = 0; k < this.packet.length; ++k) ++this.begin[this.packet.values[k] + 1];
        for (let p = 0; p < packets; ++p) this.begin[p + 1] += this.begin[p];
        const next = this.begin.slice();
        this.order = new Int32Array(this.packet.length);
        for (let k = 0; k < this.packet.length; ++k) this.order[next[this.packet.values[k]]++] = k;
    }
    of(packet) {
        if (!this.order) return [];
        return Array.from(this.order.subarray(this.begin[packet], this.begin[packet + 1]),
                          k => ({input: this.input.values[k], came: this.came.values[k], went: this.went.values[k]}));
    }
}

/// True if the flit at the front of an input VC has waited in this cycle: its packet asks for an output VC, or has one,
/// since an earlier cycle, and it has not left.
function waits(state, input) {
    return state.flits[input].length !== 0 && state.is[input] >= BIDS && state.left[input] !== state.cycle &&
        state.since[input] < state.cycle;
}
/// The first output VC, within its router, that the packet at the front has or asks for; NONE: none.
function wanted(record, state, input) {
    const what = state.what[input];
    if (state.is[input] === ACTIVE) return what;
    return state.is[input] === BIDS && record.sets[what].length !== 0 ? record.sets[what][0] : NONE;
}

class Tour {
    constructor(source) {
        const {record, wiring} = source;
        this.source = source;
        this.replay = new Replay(record, wiring, this);
        this.every = Math.max(32, Math.ceil(record.steps / 120));  // steps from one kept state to the next
        this.kept = [this.replay.keep()];
        this.moved = new Int32Array(record.steps);    // flits that left a buffer, by step
        this.waiting = new Int32Array(record.steps);  // flits that waited at the front of one
        this.inside = new Int32Array(record.steps);   // flits in buffers
        this.carried = new Int32Array(record.network.links.length);
        this.held_up = new Int32Array(wiring.count);  // cycles of waiting, by output VC
        this.visits = new Visits();
        this.worst = 0;                               // step in which most waited
    }
    arrived(link, flit, input) {
        ++this.carried[link];
        if (input !== NONE && flit % FLITS === 0) this.visits.come(packetOf(flit), input, this.replay.cycle);
    }
    departed(input, flit) {
        ++this.departures;
        if (flit % FLITS === 0) this.visits.go(packetOf(flit), input, this.replay.cycle);
    }
    /// Goes on for so many milliseconds. Returns false at the end.
    go_on(milliseconds) {
        const {record} = this.source, end = performance.now() + milliseconds, replay = this.replay;
        while (replay.step_number < record.steps) {
            this.departures = 0;
            replay.step();
            this.look(replay.step_number - 1);
            if (replay.step_number % this.every === 0) this.kept.push(replay.keep());
            if (performance.now() > end) return true;
        }
        this.visits.finish(record.packets);
        this.done = true;
        return false;
    }
    look(step) {
        const {record, wiring} = this.source, state = this.replay;
        let waiting = 0, inside = 0;
        for (let i = 0; i < wiring.count; ++i) {
            const flits = state.flits[i].length;
            if (flits === 0) continue;
            inside += flits;
            if (!waits(state, i)) continue;
            ++waiting;
            const out = wanted(record, state, i);
            if (out !== NONE) ++this.held_up[wiring.first[wiring.router[i]] + out];
        }
        this.moved[step] = this.departures;
        this.waiting[step] = waiting;
        this.inside[step] = inside;
        if (waiting > this.waiting[this.worst]) this.worst = step;
    }
    /// The kept state before a step that is nearest.
    nearest(step) { return this.kept[Math.min(Math.floor(step / this.every), this.kept.length - 1)]; }
    /// Output ports by cycles of waiting for them, the worst first: {router, port, cycles}.
    worst_ports(count) {
        const {wiring} = this.source, by_port = new Map();
        this.held_up.forEach((cycles, vc) => {
            const first = vc - (vc - wiring.first[wiring.router[vc]]) % wiring.vcs;
            if (cycles) by_port.set(first, (by_port.get(first) || 0) + cycles);
        });
        return [...by_port].sort((a, b) => b[1] - a[1]).slice(0, count)
            .map(([vc, cycles]) => ({router: wiring.router[vc], port: wiring.port(vc), cycles}));
    }
}

class RecordSource {
    constructor(record) {
        this.record = record;
        this.wiring = new Wiring(record.network);
        this.state = new Replay(record, this.wiring, this);
        this.injected = [];  // in the last cycle, from nodes: link and flit
        this.first = record.from;
        this.count = record.to - record.from;  // cycles
        const steps = record.stream("steps");
        this.cycle_of = new Int32Array(record.steps);
        let cycle = -1 - record.from;
        for (let k = 0; k < record.steps; ++k) this.cycle_of[k] = cycle += 1 + steps.number();
        this.tour = new Tour(this);
    }
    /// Number of the steps up to and with a cycle.
    steps_to(cycle) {
        let low = 0, high = this.record.steps;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.cycle_of[middle] <= cycle) low = middle + 1; else high = middle;
        }
        return low;
    }
    /// Makes `state` that after a cycle, counted from the first. Returns nothing to wait for.
    show(cycle) {
        const target = this.steps_to(cycle), state = this.state, kept = this.tour.nearest(target);
        if (target < state.step_number || kept.step > state.step_number) state.go_to(kept);
        while (state.step_number < target) {
            this.injected = [];
            state.step();
        }
        if (cycle !== state.cycle) this.injected = [];
        this.shown = cycle;
    }
    arrived(link, flit) { if (this.wiring.link_from_vc[link] === NONE) this.injected.push([link, flit]); }
    departed() {}
    get is_whole() { return this.tour.done === true; }
}

/// A network that a server steps. The server answers to GET, below `address`, with JSON:
///   network         {"from", "network", "sets"} as in a record
///   state?cycle=N   {"cycle": N, "packets": rows [packet, number, message, source, destination, class, flits, generated,
///                   injected, end or null, dropped (0 or 1)] of packets that are new or changed, "sets": new sets,
///                   "inputs": [input VC, state (0 idle, 1 route, 2 bids, 3 active), what or -1, since, left or -9,
///                   [packet, flit, ...]] of all that are not empty and idle,
///                   "outputs": [credits, owner or -1] by output VC, "links": [link, [packet, flit, VC, departure, ...]], "turns": requester served last, by arbiter}
class LiveSource {
    static async at(address) {
        const source = new LiveSource(), about = await (await fetch(address + "network")).json();
        const table = {};
        for (const name of ["number", "message", "source", "destination", "class", "length", "generated", "injected", "end", "dropped"])
            table[name] = [];
        source.address = address;
        source.record = {from: about.from, to: about.from + 1, steps: 0, packets: 0, network: about.network, sets: about.sets, table};
        source.wiring = new Wiring(about.network);
        source.state = new State(source.wiring);
        source.first = about.from;
        source.count = 1;
        source.is_live = true;
        await source.show(0);
        return source;
    }
    async show(cycle) {
        const from = this.record.from;
        const now = await (await fetch(`${this.address}state?cycle=${cycle + from}`)).json(), state = this.state, t = this.record.table;
        for (const [p, ...row] of now.packets) {
            ["number", "message", "source", "destination", "class", "length", "generated", "injected"].forEach((name, k) => { t[name][p] = row[k]; });
            t.end[p] = row[8] === null ? Infinity : row[8];
            t.dropped[p] = row[9];
            this.record.packets = Math.max(this.record.packets, p + 1);
        }
        this.record.sets.push(...now.sets);
        state.cycle = now.cycle - from;
        state.is.fill(IDLE);
        state.what.fill(NONE);
        for (const list of [...state.flits, ...state.way]) list.length = 0;
        const pairs = list => Array.from({length: list.length / 2}, (_, k) => list[2 * k] * FLITS + list[2 * k + 1]);
        for (const [i, is, what, since, left, flits] of now.inputs) {
            [state.is[i], state.what[i], state.since[i], state.left[i]] = [is, what, since - from, left - from];
            state.flits[i] = pairs(flits);
            if (flits.length) state.holder[i] = flits[0];
        }
        now.outputs.forEach(([credits, owner], o) => { state.credits[o] = credits; state.owner[o] = owner; });
        state.turns.set(now.turns);
        for (const [k, way] of now.links)
            for (let n = 0; n < way.length; n += 4) state.way[k].push(way[n] * FLITS + way[n + 1], way[n + 2], way[n + 3] - from);
        this.count = Math.max(this.count, state.cycle + 1);
        this.shown = state.cycle;
    }
    get is_whole() { return false; }
}
