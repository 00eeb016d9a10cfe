// SPDX-License-Identifier: Apache-2.0
// The page: time, keys, mouse and finger, what is looked for and looked at.
"use strict";

const SPEEDS = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];  // cycles a second
const by_id = id => document.getElementById(id);

class App {
    constructor(source, about) {
        this.source = source;
        this.about = about;
        this.time = 0;       // cycles from the first, with a fraction
        this.speed = 5;
        this.frames = 0;     // drawn; tests count them
        this.follows = false;
        this.colours = new Colours(source.record);
        if (source.record.network.classes > 1) this.colours.by = "class";
        this.map = new NetworkMap(by_id("map"), source, this.colours);
        this.panel = new Panel(by_id("panel"), this);
        this.say_what_it_is();
        this.listen();
        this.go_to(0).then(() => { this.read_on(); requestAnimationFrame(now => this.frame(now)); });
    }

    say_what_it_is() {
        const {network, from} = this.source.record, {about} = this, load = about.traffic && about.traffic.load;
        const size = network.dims.length ? " " + network.dims.join("×") : "";
        by_id("title").textContent = about.name || network.topology;
        document.title = `${about.name || network.topology} · Sare`;
        by_id("facts").textContent = [`${network.topology}${size}`, plural(network.routers.length, "router"), plural(network.nodes.length, "node"), plural(network.vcs, "VC"),
            load !== undefined ? `load ${load}` : "", `cycles ${grouped(from)} to ${grouped(from + this.source.count - 1)}`, /^(deadlock|stuck|failed|interrupted)$/.test(about.status) ? `${about.status}: ${about.reason}` : ""].filter(Boolean).join(" · ");
        by_id("colour").value = this.colours.by;
        by_id("speed").innerHTML = SPEEDS.map(s => `<option value="${s}">${s} ${s === 1 ? "cycle" : "cycles"}/s</option>`).join("");
        by_id("speed").value = this.speed;
        by_id("cycle").min = from;
        by_id("slider").max = this.source.count - 1;
        by_id("cycle").max = from + this.source.count - 1;
        by_id("worst").hidden = by_id("strip").hidden = this.source.is_live === true;
        this.show_legend();
    }
    show_legend() {
        const {colours} = this, {network, table} = this.source.record, box = (colour, text) => `<span><i style="background:${colour}"></i>${text}</span>`;
        const ramp = (all, low, high) => `<span>${low}</span><span class="ramp" style="background:linear-gradient(90deg,${all.join(",")})"></span><span>${high}</span>`;
        by_id("legend").innerHTML = colours.by === "age" ? ramp(colours.ramp, "new", `${colours.old} cycles and more in the network`)
            : colours.by === "destination" ? ramp(colours.sweep, `to node 0`, `to node ${network.nodes.length - 1}`)
            : colours.by === "class" ? Array.from({length: Math.min(8, network.classes)}, (_, k) => box(colours.series[k], `class ${k}`)).join("")
            : `<span>eight colours, in turn</span>`;
        by_id("signs").innerHTML = [`${box(colours.palette[STEPS > 8 ? Math.min(5, colours.palette.length - 1) : 0], "a flit on a link; a larger one is the head of its packet")}`,
            box(colours.shade, "buffers lie where a link enters a router: a row a VC, the flit at the front innermost"),
            box(colours.bad, "a red edge: the flit at the front waits; red links are waited for most"),
            "far away, a router is coloured by how full its buffers are"].map(line => `<li>${line}</li>`).join("");
    }

    // ---- time

    async go_to(cycle) {
        this.time = Math.max(0, Math.min(this.source.is_live ? cycle : this.source.count - 1, cycle));
        const whole = Math.floor(this.time);
        if (whole !== this.source.shown) {
            if (this.busy) return;
            this.busy = true;
            await this.source.show(whole);
            this.busy = false;
            if (this.source.is_live) { by_id("slider").max = this.source.count - 1; this.time = this.source.shown; }
        }
    }
    play(plays = !this.plays) {
        if (plays && !this.source.is_live && this.time >= this.source.count - 1) this.time = 0;
        this.plays = plays;
        document.querySelector("[data-do=play]").textContent = plays ? "❚❚ Stop" : "▶ Play";
    }
    step(cycles) { this.play(false); this.go_to(Math.floor(this.time) + cycles); }
    go_faster(places) {
        this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(this.speed) + places))];
        by_id("speed").value = this.speed;
    }
    go_to_worst() { const {tour} = this.source; if (tour) { this.play(false); this.go_to(this.source.cycle_of[tour.worst]); } }

    frame(now) {
        const passed = Math.min(0.2, (now - (this.before || now)) / 1000);
        this.before = now;
        const done = () => { this.draw(now); requestAnimationFrame(next => this.frame(next)); };
        if (!this.plays) return done();
        if (!this.source.is_live && this.time >= this.source.count - 1) { this.play(false); return done(); }
        this.go_to(this.time + passed * this.speed).then(done);
    }
    draw(now) {
        if (this.follows && this.map.packet !== NONE) this.keep_in_sight();
        const part = this.plays && this.speed <= 30 ? this.time - Math.floor(this.time) : 0;
        this.map.draw(part);
        ++this.frames;
        if (this.panel_shown !== this.source.shown || this.panel_stale) {
            if (!this.plays || this.panel_stale || now - (this.panel_at || 0) > 120) {
                this.panel.show();
                [this.panel_shown, this.panel_at, this.panel_stale] = [this.source.shown, now, false];
            }
        }
        const cycle = Math.floor(this.time);
        if (cycle === this.told) return;
        this.told = cycle;
        by_id("slider").value = cycle;
        if (document.activeElement !== by_id("cycle")) by_id("cycle").value = cycle + this.source.record.from;
        this.draw_strip();
    }
    /// Reads the record to its end, a little in each turn.
    read_on() {
        const {tour} = this.source;
        if (!tour) return;
        const more = tour.go_on(14);
        by_id("now").textContent = more ? `reading the record: ${Math.round(100 * tour.replay.step_number / this.source.record.steps)} %` : "";
        if (more) { setTimeout(() => this.read_on(), 0); if (++this.turns % 8 === 0) this.draw_strip(); return; }
        this.map.marked = tour.worst_ports(3);
        this.map.stale = this.panel_stale = true;
        by_id("worst").title = `cycle ${this.source.cycle_of[tour.worst] + this.source.record.from}`;
        this.draw_strip();
    }
    turns = 0;

    // ---- the strip above the slider: by cycle, flits that moved and fronts of buffers that waited

    draw_strip() {
        const {tour, cycle_of, count} = this.source, canvas = by_id("strip"), {colours} = this;
        if (!tour) return;
        const box = canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1, [wide, high] = [box.width, box.height];
        if (!wide) return;
        [canvas.width, canvas.height] = [Math.round(wide * ratio), Math.round(high * ratio)];
        const pen = canvas.getContext("2d"), steps = tour.replay.step_number, inset = 8, x_of = cycle => inset + cycle / Math.max(1, count - 1) * (wide - 2 * inset);
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        const columns = Math.max(1, Math.min(count, Math.floor(wide - 2 * inset))), column = (wide - 2 * inset) / columns, most = values => {
            const top = new Float64Array(columns);
            for (let k = 0; k < steps; ++k) { const c = Math.min(columns - 1, Math.floor(cycle_of[k] * columns / count)); top[c] = Math.max(top[c], values[k]); }
            return top;
        };
        const waiting = most(tour.waiting), moved = most(tour.moved), peak = Math.max(1, ...waiting, ...moved), y_of = v => high - 1 - v / peak * (high - 12);
        pen.fillStyle = colours.bad;
        pen.globalAlpha = 0.35;
        waiting.forEach((v, c) => pen.fillRect(inset + c * column, y_of(v), column, high - 1 - y_of(v)));
        pen.globalAlpha = 1;
        pen.strokeStyle = colours.accent;
        pen.beginPath();
        moved.forEach((v, c) => pen.lineTo(inset + (c + 0.5) * column, y_of(v)));
        pen.stroke();
        const packet = this.map.packet;
        if (packet !== NONE) {
            const t = this.source.record.table, from = this.source.record.from, begin = x_of(Math.max(0, t.injected[packet] - from)), end = x_of(Math.min(count, t.end[packet] - from));
            pen.fillStyle = colours.accent;
            pen.globalAlpha = 0.25;
            pen.fillRect(begin, 0, Math.max(2, end - begin), high);
            pen.globalAlpha = 1;
        }
        if (tour.done && steps) {
            const x = x_of(cycle_of[tour.worst]);
            pen.fillStyle = colours.bad;
            pen.beginPath();
            pen.moveTo(x, 9); pen.lineTo(x - 6, 0); pen.lineTo(x + 6, 0);
            pen.fill();
        }
        pen.fillStyle = colours.ink;
        pen.fillRect(x_of(Math.floor(this.time)) - 0.75, 0, 1.5, high);
        by_id("strip-key").innerHTML = `<span><i style="background:${colours.bad}"></i>fronts of buffers that wait</span><span><i style="background:${colours.accent}"></i>flits that move</span><span>most: ${grouped(peak)} in a cycle</span>` +
            (tour.done ? "<span>▼ worst moment</span>" : "");
    }

    // ---- what is looked at

    look_at({packet = NONE, router = NONE, node = NONE}) {
        Object.assign(this.map, {packet, router, node});
        this.panel_stale = this.map.stale = true;
        this.panel.element.scrollTop = 0;
        this.draw_strip();
    }
    /// Looks at it, in the middle if not all of the map is in sight.
    look_there(what) {
        this.look_at(what);
        const {map} = this, {plan} = map, place = what.packet !== undefined ? this.panel.waits.places(what.packet)[0] : null;
        const at = what.router !== undefined ? [plan.x[what.router], plan.y[what.router]] : what.node !== undefined ? [plan.node[what.node].x, plan.node[what.node].y]
            : place ? this.point_of(place) : null;
        if (at && !map.is_fitted) map.centre(...at);
    }
    point_of(place) {
        const {plan} = this.map, router = this.source.wiring.router[place.input];
        return place.link !== undefined ? plan.along(place.link, 0.5) : [plan.x[router], plan.y[router]];
    }
    /// Follows a packet, from its injection if it is not under way.
    chase(packet) {
        const t = this.source.record.table, from = this.source.record.from, now = Math.floor(this.time) + from;
        if (now < t.injected[packet] || now >= t.end[packet]) { this.play(false); this.go_to(Math.max(0, t.injected[packet] + 1 - from)); }
        this.look_there({packet});
    }
    keep_in_sight() {
        const place = this.panel.waits.places(this.map.packet)[0], {map} = this;
        if (!place) return;
        const [x, y] = this.point_of(place);
        const dx = map.width / 2 - map.sx(x), dy = map.height / 2 - map.sy(y);
        if (Math.hypot(dx, dy) > 2) map.move(dx * 0.12, dy * 0.12);
    }
    /// Looks for "packet 4711", "4711", "router 12", "r12", "node 3", "n3", "cycle 900", or the name of a router or node.
    find(text) {
        const {network, table, from} = this.source.record, word = text.trim().toLowerCase(), [, kind, digits] = word.match(/^([a-z]*)\s*#?(\d+)$/) || [];
        const named = list => list.findIndex(name => name && name.toLowerCase() === word);
        const router = /^r(outer)?$/.test(kind) ? +digits : named(network.routers.map(r => r.name));
        const node = /^n(ode)?$/.test(kind) ? +digits : named(network.nodes.map(n => n[0]));
        if (router >= 0 && router < network.routers.length) {
            this.look_there({router});
            return "";
        }
        if (node >= 0 && node < network.nodes.length) { this.look_there({node}); return ""; }
        if (kind === "cycle" || kind === "c") {
            if (+digits < from || +digits >= from + this.source.count) return `the window is cycles ${grouped(from)} to ${grouped(from + this.source.count - 1)}`;
            this.go_to(+digits - from);
            return "";
        }
        if (kind === undefined || !/^(p|packet|)$/.test(kind)) return word === "" ? "" : `no router, node or packet is called ${text}`;
        const packet = table.number.indexOf(+digits);
        if (packet < 0) return `packet ${digits} is not in the window`;
        this.chase(packet);
        return "";
    }
    let_go() { this.look_at({}); this.follows = false; }

    // ---- keys, mouse and finger

    listen() {
        const does = {first: () => this.step(-Infinity), back: () => this.step(-1), on: () => this.step(1), play: () => this.play(), worst: () => this.go_to_worst()};
        document.addEventListener("click", event => {
            const button = event.target.closest("[data-do], [data-zoom], [data-packet], [data-router], [data-node], [data-cycle], [data-chase], [data-close]");
            if (!button) return;
            const {do: what, zoom, packet, router, node, cycle, chase} = button.dataset;
            if (what) does[what]();
            else if (zoom !== undefined) +zoom ? this.map.zoom(+zoom) : this.map.fit();
            else if (packet !== undefined) this.look_there({packet: +packet});
            else if (chase !== undefined) this.chase(+chase);
            else if (router !== undefined) this.look_there({router: +router});
            else if (node !== undefined) this.look_there({node: +node});
            else if (cycle !== undefined) { this.play(false); this.go_to(+cycle); }
            else this.let_go();
        });
        by_id("slider").addEventListener("input", event => { this.play(false); this.go_to(+event.target.value); });
        by_id("cycle").addEventListener("change", event => { this.play(false); this.go_to(+event.target.value - this.source.record.from); });
        by_id("speed").addEventListener("change", event => { this.speed = +event.target.value; });
        by_id("colour").addEventListener("change", event => this.colour_by(event.target.value));
        by_id("search").addEventListener("change", event => { by_id("found").textContent = this.find(event.target.value); });
        by_id("search").addEventListener("input", () => { by_id("found").textContent = ""; });
        by_id("help").addEventListener("click", () => by_id("keys").showModal());
        by_id("panel").addEventListener("change", event => { if (event.target.id === "follow") this.follows = event.target.checked; });
        by_id("strip").addEventListener("pointerdown", event => this.scrub(event));
        by_id("strip").addEventListener("pointermove", event => { if (event.buttons) this.scrub(event); });
        document.addEventListener("keydown", event => this.key(event));
        new ResizeObserver(() => { this.map.resize(); this.draw_strip(); }).observe(by_id("stage"));
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.colours.read(); this.colour_by(this.colours.by); });
        this.listen_to_map(by_id("map"));
    }
    scrub(event) {
        const box = event.target.getBoundingClientRect();
        this.play(false);
        this.go_to(Math.round((event.clientX - box.left - 8) / (box.width - 16) * (this.source.count - 1)));
    }
    colour_by(what) {
        this.colours.by = by_id("colour").value = what;
        this.map.stale = this.panel_stale = true;
        this.show_legend();
        this.draw_strip();
    }
    key(event) {
        const types = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range" && event.target.type !== "checkbox";
        if (event.key === "Escape" && !by_id("keys").open) { event.target.blur(); this.let_go(); return; }
        if (types || event.altKey || event.metaKey || by_id("keys").open) return;
        const far = event.ctrlKey ? 100 : event.shiftKey ? 10 : 1, orders = ["age", "class", "destination", "packet"];
        const does = {" ": () => this.play(), ArrowRight: () => this.step(far), ArrowLeft: () => this.step(-far), ArrowUp: () => this.go_faster(1), ArrowDown: () => this.go_faster(-1),
            Home: () => this.step(-Infinity), End: () => this.step(Infinity), w: () => this.go_to_worst(), c: () => this.colour_by(orders[(orders.indexOf(this.colours.by) + 1) % 4]),
            f: () => { this.follows = !this.follows; this.panel_stale = true; }, "+": () => this.map.zoom(1.4), "=": () => this.map.zoom(1.4), "-": () => this.map.zoom(1 / 1.4), 0: () => this.map.fit(),
            "/": () => by_id("search").focus(), "?": () => by_id("keys").showModal()}[event.key];
        const pressed = event.target.closest("button") && (event.key === " ");
        if (!does || pressed || (event.ctrlKey && !event.key.startsWith("Arrow"))) return;
        event.preventDefault();
        does();
    }
    listen_to_map(canvas) {
        const fingers = new Map();
        let moved = 0;
        const at = event => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
        canvas.addEventListener("pointerdown", event => { canvas.setPointerCapture(event.pointerId); fingers.set(event.pointerId, at(event)); moved = 0; });
        canvas.addEventListener("pointermove", event => {
            const [x, y] = at(event), before = fingers.get(event.pointerId);
            if (!before) { this.hint(x, y); return; }
            const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
            if (others.length) this.map.zoom(Math.hypot(x - others[0][0], y - others[0][1]) / (Math.hypot(before[0] - others[0][0], before[1] - others[0][1]) || 1), (x + others[0][0]) / 2, (y + others[0][1]) / 2);
            else { moved += Math.hypot(x - before[0], y - before[1]); if (moved > 4) this.map.move(x - before[0], y - before[1]); }
            fingers.set(event.pointerId, [x, y]);
            by_id("hint").hidden = true;
        });
        const lift = event => {
            const down = fingers.delete(event.pointerId);
            if (!down || moved > 4 || event.type === "pointercancel") return;
            const found = this.map.at(...at(event)) || {};
            if (found.flit !== undefined) this.look_at({packet: packetOf(found.flit)});
            else if (found.link === undefined) this.look_at(found);
        };
        canvas.addEventListener("pointerup", lift);
        canvas.addEventListener("pointercancel", lift);
        canvas.addEventListener("pointerleave", () => { by_id("hint").hidden = true; });
        canvas.addEventListener("wheel", event => { event.preventDefault(); this.map.zoom(Math.exp(-event.deltaY * 0.0015), ...at(event)); }, {passive: false});
    }
    hint(x, y) {
        const found = this.map.at(x, y), hint = by_id("hint"), {panel} = this, t = this.source.record.table;
        hint.hidden = !found;
        by_id("map").style.cursor = found && found.link === undefined ? "pointer" : "grab";
        if (!found) return;
        const plain = html => html.replace(/<[^>]*>/g, "");
        if (found.flit !== undefined) {
            const p = packetOf(found.flit);
            hint.textContent = `packet ${t.number[p]}, flit ${found.flit % FLITS + 1} of ${t.length[p]}: ${panel.node(t.source[p])} → ${panel.node(t.destination[p])}, ${grouped(this.source.state.cycle + this.source.record.from - t.injected[p])} cycles old`;
        } else if (found.node !== undefined) hint.textContent = panel.node(found.node);
        else if (found.router !== undefined) hint.textContent = panel.router(found.router);
        else {
            const used = this.source.is_whole ? `, used ${Math.round(100 * this.source.tour.carried[found.link] / this.source.count)} % of the window` : "";
            hint.textContent = plain(panel.link(found.link)) + used;
        }
        const stage = by_id("stage").getBoundingClientRect();
        hint.style.left = `${Math.max(4, Math.min(x + 14, stage.width - hint.offsetWidth - 6))}px`;
        hint.style.top = `${y + 18 + hint.offsetHeight > stage.height ? y - hint.offsetHeight - 8 : y + 18}px`;
    }
}

/// The page of a record has it inside; the page of a server asks it (see LiveSource).
async function start() {
    const about = JSON.parse(by_id("about").textContent || "{}"), text = by_id("record").textContent.trim();
    const source = text ? new RecordSource(await Record.of(JSON.parse(text))) : await LiveSource.at(about.address || "");
    window.sare = new App(source, about);
}
start().catch(problem => {
    by_id("facts").textContent = `This page cannot be shown: ${problem.message}`;
    throw problem;
});
