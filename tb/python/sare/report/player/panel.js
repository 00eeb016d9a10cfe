// SPDX-License-Identifier: Apache-2.0
// The text beside the map: of a router, a packet, a node, or of the window as a whole.
"use strict";

const escaped = text => String(text).replace(/[&<>"]/g, c => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}[c]));
const grouped = n => Math.round(n).toLocaleString("en").replaceAll(",", "\u202f");
const plural = (n, what) => `${grouped(n)} ${what}${n === 1 ? "" : "s"}`;

class Panel {
    constructor(element, app) {
        Object.assign(this, {element, app, source: app.source, record: app.source.record, wiring: app.source.wiring});
        this.network = this.record.network;
        this.waits = new Waits(app.source);
        this.open = new Set();  // details that are unfolded
        element.addEventListener("toggle", ({target}) => {
            if (!target.dataset.keep) return;
            if (target.open) this.open.add(target.dataset.keep); else this.open.delete(target.dataset.keep);
        }, true);
    }
    get state() { return this.source.state; }
    get tour() { return this.source.tour; }

    // ---- words

    router(r) { return this.network.routers[r].name || `router ${r}`; }
    node(n) { return this.network.nodes[n][0] || `node ${n}`; }
    port(vc) { return this.network.routers[this.wiring.router[vc]].ports[this.wiring.port(vc)][0]; }
    vc(vc) { return `${this.port(vc)} VC ${(vc - this.wiring.first[this.wiring.router[vc]]) % this.wiring.vcs}`; }
    output(router, local) { return this.vc(this.wiring.first[router] + local); }
    cycle(relative) { return grouped(relative + this.record.from); }
    go(kind, number, text) { return `<button class="go" data-${kind}="${number}">${escaped(text)}</button>`; }
    to_packet(p) { return p === NONE || p === undefined ? "?" : this.go("packet", p, `packet ${this.record.table.number[p]}`); }
    to_router(r) { return this.go("router", r, this.router(r)); }
    to_node(n) { return this.go("node", n, this.node(n)); }
    to_cycle(relative) { return this.go("cycle", relative, this.cycle(relative)); }
    figure(name, value, remark = "") { return `<div><dt>${name}</dt><dd>${value}</dd><dd>${remark}</dd></div>`; }
    head(title) { return `<div class="head"><h2>${title}</h2><button type="button" data-close aria-label="close">×</button></div>`; }

    show() {
        const {map} = this.app;
        const text = map.packet !== NONE ? this.of_packet(map.packet) : map.router !== NONE ? this.of_router(map.router)
            : map.node !== NONE ? this.of_node(map.node) : this.of_window();
        if (text === this.last) return;
        const {scrollTop} = this.element, focused = document.activeElement, inside = this.element.contains(focused) ? {...focused.dataset} : null;
        this.element.innerHTML = this.last = text;
        this.element.scrollTop = scrollTop;
        if (inside) this.focus_again(inside);
    }
    focus_again(data) {
        for (const e of this.element.querySelectorAll("button"))
            if (Object.keys(data).every(key => e.dataset[key] === data[key])) { e.focus({preventScroll: true}); return; }
    }

    // ---- a router

    of_router(r) {
        const {wiring, state, network} = this, first = wiring.first[r], end = wiring.first[r + 1];
        let flits = 0, waiting = 0;
        for (let i = first; i < end; ++i) { flits += state.flits[i].length; waiting += waits(state, i); }
        const nodes = network.nodes.map((n, k) => [n, k]).filter(([n]) => n[1] === r || n[3] === r).map(([, k]) => this.to_node(k));
        return this.head(this.router(r)) +
            `<p class="note">${escaped(network.routers[r].kind)} router; ${plural(flits, "flit")}, ${waiting ? `<span class="wait">${grouped(waiting)} at the front of a buffer wait</span>` : "none waits"}${nodes.length ? `; ${nodes.slice(0, 8).join(", ")}` : ""}</p>
<h3>Inputs: buffers, the front at the left</h3>${this.table(["port", "", "buffer", "packet at the front"], first, end, i => this.input_row(r, i))}
<h3>Outputs</h3>${this.table(["port", "", "credits", "owned by"], first, end, i => this.output_row(r, i))}${this.of_arbiters(r)}`;
    }
    /// A row for each VC of a router; the port is named in its first one.
    table(names, first, end, row) {
        let rows = "";
        for (let i = first; i < end; ++i) {
            const v = (i - first) % this.wiring.vcs, port = v === 0 ? `<td rowspan="${this.wiring.vcs}"><b>${escaped(this.port(i))}</b><br>${this.to_what(i)}</td>` : "";
            rows += `<tr${v === 0 ? ' class="port"' : ""}>${port}<td>${v}</td>${row(i)}</tr>`;
        }
        return `<div class="scroll"><table><thead><tr>${names.map(name => `<th>${name}</th>`).join("")}</tr></thead><tbody>${rows}</tbody></table></div>`;
    }
    /// What the port of a VC leads to.
    to_what(i) {
        const beyond = this.waits.beyond(i);
        return beyond.node !== undefined ? this.to_node(beyond.node) : beyond.input !== undefined ? this.to_router(this.wiring.router[beyond.input]) : "";
    }
    input_row(r, i) { return `<td>${this.cells(i)}</td><td>${this.front(r, i)}</td>`; }
    output_row(r, i) {
        const {state, wiring} = this, first = wiring.first[r], owner = state.owner[i], depth = this.network.routers[r].ports[wiring.port(i)][1];
        const by = owner === NONE ? "–" : first + owner < wiring.first[r + 1] ? `${escaped(this.vc(first + owner))}, ${this.to_packet(this.waits.holder(first + owner))}` : "a node";
        return `<td class="whole">${depth ? `<span class="bar" style="--share:${Math.round(100 * state.credits[i] / depth)}%"></span>${state.credits[i]}/${depth}` : "–"}</td><td>${by}</td>`;
    }
    cells(i) {
        const flits = this.state.flits[i], depth = Math.max(flits.length, Math.min(this.network.routers[this.wiring.router[i]].depth, 12)), t = this.record.table;
        let text = "";
        for (let k = 0; k < Math.min(depth, 24); ++k) {
            if (k >= flits.length) { text += '<span class="cell"></span>'; continue; }
            const p = packetOf(flits[k]), colours = this.app.colours;
            text += `<button class="cell flit${flits[k] % FLITS === 0 ? " head" : ""}${p === this.app.map.packet ? " on" : ""}" data-packet="${p}" style="background:${colours.css(p, this.state.cycle + this.record.from)}" title="packet ${t.number[p]}, flit ${flits[k] % FLITS + 1} of ${t.length[p]}: ${escaped(this.node(t.source[p]))} to ${escaped(this.node(t.destination[p]))}"></button>`;
        }
        return `<span class="cells">${text}</span>${depth > 24 ? ` +${depth - 24}` : ""}`;
    }
    /// The packet at the front of an input VC, what it has or wants, and why it waits.
    front(r, i) {
        const {state} = this, is = state.is[i];
        if (state.flits[i].length === 0 && is !== ACTIVE) return "–";
        const what = is === ACTIVE ? `has ${escaped(this.output(r, state.what[i]))}` : is === BIDS ? `asks for ${escaped(this.asked(r, state.what[i]))}` : is === ROUTE ? "route" : "";
        return `${this.to_packet(this.waits.holder(i))} ${what}${this.reason(i)}`;
    }
    reason(i) {
        if (this.state.left[i] === this.state.cycle) return ' <span class="moves">moves</span>';
        const wait = this.waits.of(i);
        return !wait || this.state.is[i] === ROUTE ? "" : `<br><span class="${waits(this.state, i) ? "wait" : "note"}">${wait.why}</span>${wait.blocker !== undefined ? `: ${this.to_packet(wait.blocker)}` : ""}`;
    }
    asked(r, set) {
        const by_port = new Map();
        for (const o of this.record.sets[set]) {
            const port = this.network.routers[r].ports[Math.floor(o / this.wiring.vcs)][0];
            by_port.set(port, [...(by_port.get(port) || []), o % this.wiring.vcs]);
        }
        return [...by_port].map(([port, vcs]) => `${port} VC ${vcs.join(", ")}`).join("; ") || "nothing";
    }
    of_arbiters(r) {
        const {wiring} = this, rows = [];
        for (let k = wiring.first_arbiter[r]; k < wiring.first_arbiter[r + 1]; ++k) {
            const a = wiring.arbiters[k], last = this.state.turns[k];
            rows.push(`<tr><td>${escaped(this.arbiter(r, a))}</td><td>${escaped(this.requester(r, a, last))}</td><td>${a.in_turn ? escaped(this.requester(r, a, (last + 1) % a.requesters)) : "as its policy says"}</td></tr>`);
        }
        if (rows.length === 0) return "";
        return `<details data-keep="arbiters"${this.open.has("arbiters") ? " open" : ""}><summary>Arbiters: ${rows.length}</summary>
<table><thead><tr><th>arbiter</th><th>served last</th><th>comes first next</th></tr></thead><tbody>${rows.join("")}</tbody></table></details>`;
    }
    side(r, number, each) { return this.network.routers[r].ports[Math.floor(number / each)][0] + (each > 1 ? ` input ${number % each}` : ""); }
    arbiter(r, a) {
        const port = this.network.routers[r].ports[a.port][0], unit = a.unit ? ` ${a.unit}` : "";
        return [`VA, input ${port} VC ${a.unit}`, `VA, output ${port} VC ${a.unit}`, `SA, input ${port}${unit}`, `SA, offers to input ${port}${unit}`, `SA, output ${port}${unit}`,
                `link ${port}`, "engine", "VA, wavefront", "SA, wavefront"][a.stage] + (a.speculative ? ", speculative" : "");
    }
    requester(r, a, n) {
        const {wiring} = this, ports = this.network.routers[r].ports.length;
        switch (a.from) {
            case 0: return `VC ${n}`;
            case 1: return n < ports * wiring.vcs ? this.output(r, n) : `queue ${n - ports * wiring.vcs}`;
            case 4: return `diagonal ${n}`;
            default: return this.side(r, n, Math.max(1, Math.floor(a.requesters / ports)));
        }
    }

    // ---- a packet

    of_packet(p) {
        const t = this.record.table, now = this.state.cycle + this.record.from, end = t.end[p];
        const where = end <= now ? (t.dropped[p] ? "lost" : "arrived") : now < t.injected[p] ? "in its source" : "under way";
        const cycle = absolute => absolute < this.record.from || absolute >= this.record.from + this.source.count ? grouped(absolute) : this.to_cycle(absolute - this.record.from);
        return this.head(`Packet ${t.number[p]}`) +
            `<p>${this.to_node(t.source[p])} → ${this.to_node(t.destination[p])}, ${plural(t.length[p], "flit")}${this.network.classes > 1 ? `, class ${t.class[p]}` : ""}, message ${t.message[p]}: <b>${where}</b></p>
<dl class="figures">${this.figure("waited in its source", grouped(t.injected[p] - t.generated[p]), `from ${cycle(t.generated[p])}`)}${this.figure("in the network", end < Infinity ? grouped(end - t.injected[p]) : `${grouped(Math.max(0, now - t.injected[p]))} so far`, `from ${cycle(t.injected[p])}`)}${this.figure(t.dropped[p] ? "lost" : "arrived", end < Infinity ? cycle(end) : "later", "cycle")}</dl>
<p><label><input type="checkbox" id="follow" ${this.app.follows ? "checked" : ""}> keep it in sight (f)</label></p>` +
            (where === "under way" ? this.of_places(p) : "") + this.of_way(p);
    }
    of_places(p) {
        const places = this.waits.places(p), inputs = places.filter(place => place.input !== undefined);
        const text = places.map(place => place.link !== undefined ? `<li>${plural(place.flits, "flit")} on ${this.link(place.link)}</li>`
            : `<li>${plural(place.flits, "flit")} in ${this.to_router(this.wiring.router[place.input])}, ${escaped(this.vc(place.input))}${place.at ? `, behind ${plural(place.at, "flit")}` : ""}</li>`).join("");
        const leading = inputs.sort((a, b) => (this.leads(b, p) - this.leads(a, p)))[0];
        return `<h3>Now</h3><ul class="chain">${text || "<li>at its source or node</li>"}</ul>${leading ? this.of_chain(leading) : ""}`;
    }
    /// The lowest flit of a packet in a place is the one that leads.
    leads({input}, p) { return -Math.min(...this.state.flits[input].filter(f => packetOf(f) === p)); }
    of_chain({input, at}) {
        const chain = this.waits.chain(input), lines = [];
        if (at) lines.push(`behind ${this.to_packet(this.waits.holder(input))} in ${escaped(this.vc(input))} of ${this.to_router(this.wiring.router[input])}`);
        for (const {input: i, packet, wait} of chain) {
            if (!wait) { lines.push(`${this.to_packet(packet)} at ${this.to_router(this.wiring.router[i])}: <span class="moves">${this.state.flits[i].length ? "moves" : "its next flit is to come"}</span>`); continue; }
            lines.push(`${this.to_packet(packet)} at ${this.to_router(this.wiring.router[i])}: <span class="${waits(this.state, i) ? "wait" : "note"}">${wait.why}</span>${wait.node !== undefined ? ` (${this.to_node(wait.node)})` : ""}`);
        }
        if (chain.circle) lines.push('<span class="wait"><b>and so on in a circle: this is a deadlock, or looks like one</b></span>');
        return `<h3>What it waits for</h3><ul class="chain end">${lines.map(line => `<li>${line}</li>`).join("")}</ul>`;
    }
    of_way(p) {
        if (!this.tour || !this.tour.done) return this.tour ? '<p class="note">The way of the packet follows when all of the record has been read.</p>' : "";
        const visits = this.tour.visits.of(p), t = this.record.table, from = t.injected[p] - this.record.from;
        if (visits.length === 0) return "";
        const last = Math.min(t.end[p] - this.record.from, this.source.count), all = Math.max(1, last - from), share = cycle => 100 * Math.max(0, Math.min(1, (cycle - from) / all));
        const now = share(this.state.cycle), rows = visits.map(v => {
            const went = v.went === NONE ? last : v.went;
            return `<tr><td>${this.to_router(this.wiring.router[v.input])}</td><td>${escaped(this.vc(v.input))}</td><td class="n">${this.to_cycle(v.came)}</td><td class="n">${v.went === NONE ? "–" : grouped(went - v.came)}</td>
<td width="40%"><div class="lane" data-cycle="${v.came}"><i style="left:${share(v.came)}%;width:${share(went) - share(v.came)}%"></i><b style="left:${now}%"></b></div></td></tr>`;
        });
        return `<h3>Its way: how long its head stayed in each router</h3><div class="scroll"><table class="hops"><thead><tr><th>router</th><th>by</th><th class="n">came in</th><th class="n">cycles</th><th>time</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
    }
    link(k) {
        const [from_node, from, from_port, to_node, to] = this.network.links[k];
        const port = from_node ? "" : ` (${escaped(this.network.routers[from].ports[from_port][0])})`;
        return `the link ${from_node ? this.to_node(from) : this.to_router(from)}${port} → ${to_node ? this.to_node(to) : this.to_router(to)}`;
    }

    // ---- a node, the window

    of_node(n) {
        const t = this.record.table, now = this.state.cycle + this.record.from, [, router] = this.network.nodes[n];
        let sent = 0, got = 0, coming = 0;
        for (let p = 0; p < this.record.packets; ++p) {
            if (t.source[p] === n && t.injected[p] <= now) ++sent;
            if (t.destination[p] !== n) continue;
            if (t.end[p] <= now) ++got; else if (t.injected[p] <= now) ++coming;
        }
        return this.head(this.node(n)) + `<p>at ${this.to_router(router)}. Packets for it are in colour, others pale.</p>
<dl class="figures">${this.figure("sent so far", grouped(sent), "packets")}${this.figure("received so far", grouped(got), "packets")}${this.figure("on their way to it", grouped(coming), "packets")}</dl>`;
    }
    of_window() {
        const {tour, record, state} = this, step = this.source.steps_to ? this.source.steps_to(state.cycle) - 1 : -1;
        let flits = 0, waiting = 0, links = 0;
        for (let i = 0; i < this.wiring.count; ++i) { flits += state.flits[i].length; waiting += waits(state, i); }
        state.way.forEach((way, k) => { if (this.wiring.link_from_vc[k] !== NONE) links += way.length / 3; });
        const moved = tour && step >= 0 ? tour.moved[step] : 0;
        return `<h2>Cycle ${this.cycle(state.cycle)}</h2>
<dl class="figures">${this.figure("in buffers", grouped(flits), "flits")}${this.figure("on links", grouped(links), "flits")}${tour ? this.figure("moved", grouped(moved), "flits") : ""}${this.figure("waiting", grouped(waiting), "fronts of buffers")}</dl>` +
            (tour ? tour.done ? this.of_all() : '<p class="note">Reading the record …</p>' : "");
    }
    of_all() {
        this.summary = this.summary || this.make_summary();
        return this.summary;
    }
    make_summary() {
        const {record, tour, wiring} = this, t = record.table, ended = [];
        for (let p = 0; p < record.packets; ++p) if (t.end[p] < Infinity && !t.dropped[p]) ended.push(p);
        const latency = p => t.end[p] - t.injected[p], mean = ended.reduce((sum, p) => sum + latency(p), 0) / (ended.length || 1);
        const slow = ended.slice().sort((a, b) => latency(b) - latency(a)).slice(0, 10);
        const stuck = Array.from({length: record.packets}, (_, p) => p).filter(p => t.end[p] === Infinity).sort((a, b) => t.injected[a] - t.injected[b]);
        const ports = tour.worst_ports(10), worst = tour.worst;
        const rows = slow.map(p => `<tr><td>${this.go("chase", p, `packet ${t.number[p]}`)}</td><td>${this.to_node(t.source[p])} → ${this.to_node(t.destination[p])}</td><td class="n">${grouped(latency(p))}</td></tr>`).join("");
        const held = ports.map(({router, port, cycles}) => {
            const first = wiring.first[router] + port * wiring.vcs, link = wiring.link_of[first], used = link === NONE ? 0 : tour.carried[link] / this.source.count;
            return `<tr><td>${this.to_router(router)} ${escaped(this.port(first))}</td><td class="n">${(cycles / this.source.count).toFixed(2)}</td><td class="n">${Math.round(100 * used)} %</td></tr>`;
        }).join("");
        return `<h3>Of the window, cycles ${this.cycle(0)} to ${this.cycle(this.source.count - 1)}</h3>
<dl class="figures">${this.figure("arrived", grouped(ended.length), "packets")}${this.figure("in the network", ended.length ? mean.toFixed(1) : "–", "cycles, mean")}${this.figure("still there", grouped(stuck.length), stuck.length ? `oldest: ${this.go("packet", stuck[0], t.number[stuck[0]])}` : "packets")}</dl>
<p><span class="wait">▲ Worst moment:</span> cycle ${this.to_cycle(this.source.cycle_of[worst] || 0)}, when ${grouped(tour.waiting[worst] || 0)} fronts of buffers waited.</p>
<h3>Links most waited for (red on the map)</h3><table><thead><tr><th>output port</th><th class="n">buffers waiting, mean</th><th class="n">used</th></tr></thead><tbody>${held}</tbody></table>
<h3>Slowest packets</h3><table><thead><tr><th></th><th>from, to</th><th class="n">cycles</th></tr></thead><tbody>${rows}</tbody></table>`;
    }
}
