// SPDX-License-Identifier: Apache-2.0
// A record of tlm/inside/record: its streams, and the network that is rebuilt from them. Replay does what
// network_recorder.cpp does, question by question, so each change there is one here.
"use strict";

const STREAMS = ["steps", "arrivals", "flits", "departures", "more", "outputs", "states", "contents",
                 "credits", "balances", "owners", "turns"];
const COLUMNS = ["numbers", "messages", "sources", "destinations", "classes", "lengths", "injections", "queueing", "ends"];
const IDLE = 0, ROUTE = 1, BIDS = 2, ACTIVE = 3;
const NONE = -1;
const FLITS = 65536;  // a flit is a number: packet * FLITS + its place in the packet
const packetOf = flit => Math.floor(flit / FLITS);
const LONGEST_WAY = 4096;

async function inflate(base64) {
    const packed = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
    const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(bytes).arrayBuffer());
}

/// Differences and numbers of a record; several readers may share the bytes.
class Stream {
    constructor(indices, numbers) {
        this.indices = indices; this.numbers = numbers;
        this.at = 0; this.number_at = 0;
        this.next = NONE;  // index of the next difference in this step
        this.last = 0;
    }
    begin() { this.last = 0; this.advance(); }
    advance() {
        const bytes = this.indices;
        let byte = bytes[this.at++], gap = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) gap |= ((byte = bytes[this.at++]) & 127) << shift;
        this.next = gap === 0 ? NONE : this.last += gap - 1;
    }
    code(index, expected) {
        if (this.next !== index) return expected;
        this.advance();
        return !expected;
    }
    number() {
        let factor = 1, n = 0, byte;
        do {
            byte = this.numbers[this.number_at++];
            n += (byte & 127) * factor;
            factor *= 128;
        } while (byte > 127);
        return n;
    }
    /// A number that was written with 1 added; NONE: none.
    number_or_none() { return this.number() - 1; }
    difference() { const n = this.number(); return n % 2 === 0 ? n / 2 : -(n + 1) / 2; }
}

/// What is in the record: `network`, `sets`, the table of packets, and streams for a Replay.
class Record {
    static async of(json) {
        const record = new Record();
        Object.assign(record, {from: json.from, to: json.to, steps: json.steps, packets: json.packets,
                               network: json.network, sets: json.sets});
        record.bytes = {};
        await Promise.all(Object.keys(json.streams).map(async name => {
            record.bytes[name] = await Promise.all(json.streams[name].map(inflate));
        }));
        record.read_packets();
        return record;
    }
    stream(name) { return new Stream(...this.bytes[name]); }
    read_packets() {
        const n = this.packets, column = {};
        for (const name of COLUMNS) column[name] = this.stream(name);
        const make = () => new Float64Array(n), whole = () => new Int32Array(n);
        const t = this.table = {number: make(), message: make(), source: whole(), destination: whole(), class: whole(),
                                length: whole(), injected: make(), generated: make(), end: make(), dropped: new Uint8Array(n)};
        let number = 0, message = 0, injected = 0;
        for (let p = 0; p < n; ++p) {
            t.number[p] = number += column.numbers.difference();
            t.message[p] = message += column.messages.difference();
            t.source[p] = column.sources.number();
            t.destination[p] = column.destinations.number();
            t.class[p] = column.classes.number();
            t.length[p] = column.lengths.number();
            t.injected[p] = injected += column.injections.difference();
            t.generated[p] = injected - column.queueing.number();
            const end = column.ends.number();
            t.end[p] = end === 0 ? Infinity : injected + Math.floor((end - 1) / 2);
            t.dropped[p] = end !== 0 && end % 2 === 0;
        }
    }
}

/// Numbers of the VCs and links of a network, as Replay and pages use them.
class Wiring {
    constructor(network) {
        const vcs = this.vcs = network.vcs, routers = network.routers;
        this.first = new Int32Array(routers.length + 1);
        routers.forEach((r, k) => { this.first[k + 1] = this.first[k] + r.ports.length * vcs; });
        const all = this.count = this.first[routers.length];
        this.router = new Int32Array(all);
        for (let r = 0; r < routers.length; ++r) this.router.fill(r, this.first[r], this.first[r + 1]);
        this.link_of = new Int32Array(all).fill(NONE);  // by output VC
        this.link_to = new Int32Array(all).fill(NONE);  // by input VC
        const links = network.links;
        this.link_from_vc = new Int32Array(links.length).fill(NONE);
        this.link_to_vc = new Int32Array(links.length).fill(NONE);
        links.forEach(([from_node, from, from_port, to_node, to, to_port], k) => {
            if (!from_node) this.link_from_vc[k] = this.first[from] + from_port * vcs;
            if (!to_node) this.link_to_vc[k] = this.first[to] + to_port * vcs;
            for (let v = 0; v < vcs; ++v) {
                if (!from_node) this.link_of[this.link_from_vc[k] + v] = k;
                if (!to_node) this.link_to[this.link_to_vc[k] + v] = k;
            }
        });
        this.find_arbiters(network.arbiters);
    }
    /// The arbiters of all routers, one after the other, and by VC those that stand at what packets get.
    find_arbiters({lists, of}) {
        this.arbiters = [];
        this.first_arbiter = new Int32Array(of.length + 1);
        for (const name of ["va_input", "va_output", "sa_input", "sa_output"]) this[name] = new Int32Array(this.count).fill(NONE);
        of.forEach((list, r) => {
            for (const [stage, from, port, unit, requesters, in_turn, speculative] of lists[list]) {
                const number = this.arbiters.length, vc = this.first[r] + port * this.vcs, one = unit === 0;
                this.arbiters.push({stage, from, port, unit, requesters, in_turn, speculative});
                if (speculative) continue;
                if (stage === 0) this.va_input[vc + unit] = number;
                if (stage === 1) this.va_output[vc + unit] = number;
                if (stage === 2 && one) this.sa_input.fill(number, vc, vc + this.vcs);
                if (stage === 4 && one) this.sa_output.fill(number, vc, vc + this.vcs);
            }
            this.first_arbiter[r + 1] = this.arbiters.length;
        });
        this.diagonals = this.arbiters.map((a, k) => a.from === 4 ? k : NONE).filter(k => k !== NONE);
    }
    port(vc) { return Math.floor((vc - this.first[this.router[vc]]) / this.vcs); }
}

/// The routers and links after a cycle. `cycle` counts from the beginning of the record.
class State {
    constructor(wiring) {
        const n = wiring.count, links = wiring.link_from_vc.length;
        this.cycle = -1;
        this.is = new Uint8Array(n);                  // by input VC: its state
        this.what = new Int32Array(n).fill(NONE);     // output VC within the router, or number of a set
        this.since = new Int32Array(n);
        this.left = new Int32Array(n).fill(-9);       // cycle in which a flit last left
        this.by = new Int32Array(n).fill(-FLITS);     // output VC, within the router, by which it left
        this.holder = new Int32Array(n).fill(NONE);   // packet that has the output VC
        this.credits = new Int32Array(n);
        this.owner = new Int32Array(n).fill(NONE);
        this.flits = Array.from({length: n}, () => []);
        this.way = Array.from({length: links}, () => []);  // flit, VC, cycle of departure; three each
        this.delay = new Int32Array(links).fill(1);
        this.turns = new Int32Array(wiring.arbiters.length);  // by arbiter: requester served last
    }
}

class Replay extends State {
    constructor(record, wiring, listener = null) {
        super(wiring);
        this.record = record; this.wiring = wiring; this.listener = listener;
        this.streams = STREAMS.map(name => record.stream(name));
        for (const [k, name] of STREAMS.entries()) this["s_" + name] = this.streams[k];
        this.step_number = 0;  // steps done
        this.cycle = -1 - record.from;
        this.lengths = record.table.length;
    }

    step() {
        for (const s of this.streams) if (s.indices.length !== 0) s.begin();
        this.passed = 1 + this.s_steps.number();
        this.cycle += this.passed;
        const links = this.way.length, count = this.wiring.count;
        for (let k = 0; k < links; ++k) this.arrive(k);
        for (let i = 0; i < count; ++i) this.look_at_input(i);
        for (let o = 0; o < count; ++o) this.look_at_output(o);
        this.look_at_turns();
        ++this.step_number;
    }

    arrive(k) {
        const way = this.way[k], due = way.length !== 0 && way[2] + this.delay[k] === this.cycle;
        if (!this.s_arrivals.code(k, due)) return;
        let place = 0, flit, vc;
        if (this.s_flits.code(k, false)) place = this.s_flits.number() - 1;
        const from = this.wiring.link_from_vc[k], to = this.wiring.link_to_vc[k];
        if (place < 0 || 3 * place >= way.length) {
            flit = this.s_flits.number() * FLITS;
            flit += this.s_flits.number();
            vc = this.s_flits.number();
        } else {
            [flit, vc] = [way[3 * place], way[3 * place + 1]];
            this.delay[k] = this.cycle - way[3 * place + 2];
            way.splice(from === NONE ? 3 * place : 0, from === NONE ? 3 : 3 * place + 3);
        }
        if (from === NONE && !this.is_tail(flit)) this.send(way, flit + 1, vc);
        if (to !== NONE) this.flits[to + vc].push(flit);
        if (this.listener) this.listener.arrived(k, flit, to === NONE ? NONE : to + vc);
    }
    is_tail(flit) { return flit % FLITS + 1 >= this.lengths[packetOf(flit)]; }
    send(way, flit, vc) {
        way.push(flit, vc, this.cycle);
        if (way.length > 3 * LONGEST_WAY) way.splice(0, 3);
    }
    look_at_input(i) {
        const flits = this.flits[i];
        if (this.is[i] === IDLE && flits.length === 0 && this.s_states.next !== i && this.s_contents.next !== i) return;
        if (this.is[i] === IDLE && flits.length !== 0) this.enter(i, ROUTE, NONE);
        if (this.is[i] !== ACTIVE && this.s_outputs.code(i, false)) this.enter(i, ACTIVE, this.s_outputs.number());
        const goes_on = this.is[i] === ACTIVE && flits.length !== 0 && this.left[i] + 1 === this.cycle &&
            this.credits[this.wiring.first[this.wiring.router[i]] + this.what[i]] !== 0;
        if (this.s_departures.code(i, goes_on)) {
            do this.let_go(i); while (this.s_more.code(i, false));
        }
        if (this.s_states.code(i, false)) {
            const all = this.s_states.number();
            this.enter(i, all % 4, Math.floor(all / 4) - 1);
        }
        if (!this.s_contents.code(i, false)) return;
        const count = this.s_contents.number();
        flits.length = 0;
        for (let k = 0; k < count; ++k) {
            const packet = this.s_contents.number();
            flits.push(packet * FLITS + this.s_contents.number());
        }
    }
    let_go(i) {
        if (this.flits[i].length === 0) return;
        const flit = this.flits[i].shift();
        this.left[i] = this.cycle;
        this.by[i] = this.is[i] === ACTIVE ? this.what[i] : -FLITS;
        if (this.listener) this.listener.departed(i, flit);
        if (this.is[i] !== ACTIVE) return;
        const first = this.wiring.first[this.wiring.router[i]], out = first + this.what[i], link = this.wiring.link_of[out];
        this.serve(this.wiring.sa_input[i], (i - first) % this.wiring.vcs);
        this.serve(this.wiring.sa_output[out], Math.floor((i - first) / this.wiring.vcs));
        if (this.credits[out] !== 0) --this.credits[out];
        if (link !== NONE) this.send(this.way[link], flit, this.what[i] % this.wiring.vcs);
        if (!this.is_tail(flit)) return;
        this.owner[out] = NONE;
        this.enter(i, this.flits[i].length === 0 ? IDLE : ROUTE, NONE);
    }
    enter(i, is, what) {
        this.is[i] = is;
        this.what[i] = what;
        this.since[i] = this.cycle;
        if (is !== ACTIVE) return;
        const first = this.wiring.first[this.wiring.router[i]];
        this.owner[first + what] = i - first;
        this.serve(this.wiring.va_input[i], what % this.wiring.vcs);
        this.serve(this.wiring.va_output[first + what], i - first);
        if (this.flits[i].length !== 0) this.holder[i] = packetOf(this.flits[i][0]);
    }

    look_at_output(o) {
        if (this.s_credits.code(o, false)) ++this.credits[o];
        if (this.s_balances.code(o, false)) this.credits[o] = this.s_balances.number();
        if (this.s_owners.code(o, false)) this.owner[o] = this.s_owners.number_or_none();
    }

    serve(arbiter, requester) { if (arbiter !== NONE) this.turns[arbiter] = requester; }
    look_at_turns() {
        const {arbiters, diagonals} = this.wiring, turns = this.s_turns;
        for (const k of diagonals) this.turns[k] = (this.turns[k] + this.passed) % arbiters[k].requesters;
        while (turns.next !== NONE) {
            this.turns[turns.next] = turns.number();
            turns.advance();
        }
    }

    // ---- places to go on from

    keep() {
        const lists = all => [Int32Array.from(all, list => list.length), Float64Array.from(all.flat())];
        return {step: this.step_number, cycle: this.cycle, places: this.streams.map(s => [s.at, s.number_at]),
                arrays: ARRAYS.map(name => this[name].slice()), lists: LISTS.map(name => lists(this[name]))};
    }
    go_to(kept) {
        this.step_number = kept.step;
        this.cycle = kept.cycle;
        this.streams.forEach((s, k) => { [s.at, s.number_at] = kept.places[k]; });
        ARRAYS.forEach((name, k) => this[name].set(kept.arrays[k]));
        LISTS.forEach((name, k) => {
            const [lengths, values] = kept.lists[k];
            let at = 0;
            lengths.forEach((length, n) => { this[name][n] = Array.from(values.subarray(at, at += length)); });
        });
    }
}
const ARRAYS = ["is", "what", "since", "left", "by", "holder", "credits", "owner", "delay", "turns"];
const LISTS = ["flits", "way"];
