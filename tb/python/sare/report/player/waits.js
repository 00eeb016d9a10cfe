// SPDX-License-Identifier: Apache-2.0
// Why the flit at the front of an input VC does not move, and for whom it waits.
"use strict";

class Waits {
    constructor(source) { Object.assign(this, {source, record: source.record, wiring: source.wiring}); }
    get state() { return this.source.state; }

    /// The packet that has an input VC of a router: the one at its front, else the one whose flits are still to come.
    holder(input) {
        const flits = this.state.flits[input];
        return flits.length !== 0 ? packetOf(flits[0]) : this.state.holder[input];
    }
    /// What is at the end of an output VC: {node} or {input}, an input VC; {} if nothing is known.
    beyond(out) {
        const link = this.wiring.link_of[out];
        if (link === NONE) return {};
        const [, , , to_node, to] = this.record.network.links[link];
        return to_node ? {node: to} : {input: this.wiring.link_to_vc[link] + (out - this.wiring.first[this.wiring.router[out]]) % this.wiring.vcs};
    }
    /// {why, blocker (packet), input (where the blocker is), node}: the reason why the front of an input VC waits; null: it
    /// is empty or moves.
    of(input) {
        const {state, wiring} = this;
        if (state.flits[input].length === 0 || state.left[input] === state.cycle) return null;
        const first = wiring.first[wiring.router[input]];
        if (state.is[input] === ROUTE) return {why: "its route is being computed"};
        if (state.is[input] === BIDS) return this.of_bid(input, first);
        if (state.is[input] !== ACTIVE) return null;
        const out = first + state.what[input], beyond = this.beyond(out);
        if (state.credits[out] === 0) return this.of_no_credit(beyond);
        const winner = this.winner(input, out);
        if (winner !== NONE) return {why: "another flit had the switch", blocker: state.holder[winner], input: winner};
        return {why: state.since[input] === state.cycle ? "it has just got its output VC" : "it is in the pipeline, or its link is busy"};
    }
    of_bid(input, first) {
        const {state} = this, outputs = this.record.sets[state.what[input]];
        if (state.since[input] === state.cycle) return {why: "it begins to ask in this cycle"};
        const taken = outputs.filter(o => state.owner[first + o] !== NONE);
        if (taken.length === outputs.length && taken.length !== 0) {
            const owner = state.owner[first + taken[0]], of = first + owner;
            if (of >= this.wiring.first[this.wiring.router[input] + 1]) return {why: "packets from nodes have every output VC that it may have"};
            return {why: taken.length === 1 ? "another packet has the output VC" : `other packets have all ${taken.length} output VCs that it may have`,
                    blocker: this.holder(of), input: of};
        }
        const free = outputs.filter(o => state.owner[first + o] === NONE);
        if (free.length !== 0 && free.every(o => state.credits[first + o] === 0)) return this.of_no_credit(this.beyond(first + free[0]));
        return {why: "an output VC is free, and it did not get one in this cycle"};
    }
    of_no_credit(beyond) {
        if (beyond.node !== undefined) return {why: "no room in its node", node: beyond.node};
        if (beyond.input === undefined) return {why: "no credit"};
        if (this.state.flits[beyond.input].length === 0) return {why: "no credit: it is on its way back"};
        return {why: "no credit: the buffer beyond is full", blocker: this.holder(beyond.input), input: beyond.input};
    }
    /// An input VC that has sent in this cycle by the same output port or from the same input port; NONE: none has.
    winner(input, out) {
        const {state, wiring} = this, first = wiring.first[wiring.router[input]], end = wiring.first[wiring.router[input] + 1];
        for (let i = first; i < end; ++i) {
            if (i === input || state.left[i] !== state.cycle) continue;
            if (wiring.port(i) === wiring.port(input) || first + state.by[i] - state.by[i] % wiring.vcs === out - (out - first) % wiring.vcs) return i;
        }
        return NONE;
    }
    /// From an input VC on, those that wait for each other: [{input, packet, wait}]; the last one waits for nobody, or, with
    /// `circle`, for one before.
    chain(input) {
        const all = [], seen = new Set();
        while (input !== undefined && !seen.has(input) && all.length < 40) {
            seen.add(input);
            const wait = this.of(input);
            all.push({input, packet: this.holder(input), wait});
            input = wait && wait.blocker !== undefined ? wait.input : undefined;
        }
        all.circle = input !== undefined && seen.has(input);
        return all;
    }
    /// Where the flits of a packet are: input VCs with the places in them, and links.
    places(packet) {
        const {state, wiring} = this, found = [];
        for (let i = 0; i < wiring.count; ++i) {
            const at = state.flits[i].findIndex(f => packetOf(f) === packet);
            if (at >= 0) found.push({input: i, at, flits: state.flits[i].filter(f => packetOf(f) === packet).length});
        }
        state.way.forEach((way, link) => {
            if (wiring.link_from_vc[link] === NONE) return;
            for (let n = 0; n < way.length; n += 3) if (packetOf(way[n]) === packet) found.push({link, flits: 1});
        });
        return found;
    }
}
