#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A network within the process: stepping, looking, sending, changing it, and what goes wrong."""
import os
import runpy
import signal
import threading
import unittest
from collections import Counter
from pathlib import Path

import common
import numpy as np
import sare


class Simulation(common.Case):
    def test_is_what_the_command_runs(self):
        e = common.small().set({"traffic": {"workload": "random", "messages": 300, "outstanding": 20, "bytes": 64}})
        run = sare.run(e)
        with sare.Simulation(e) as s:
            while not s.finished:
                s.step(10)
            counts = s.counts
        self.assertEqual(counts["consumed_flits"], run.summary["flits"]["consumed"])
        self.assertEqual(counts["flit_hops"], run.summary["run"]["flit_hops"])

    def test_measures_as_the_command_does(self):
        e = common.small().set({"traffic.load": 0.3})
        run = sare.run(e)
        with sare.Simulation(e) as s:
            told = []
            s.on_delivery(told.append)
            found = s.measure()
            self.assertEqual(found.status, run.status)
            self.assertEqual((found.accepted, found.latency), (run.accepted, run.latency))
            self.assertEqual(found.latency_ci95, run.summary["latency"]["packet"]["from_generation"]["ci95"])
            self.assertEqual(list(found.table("link")["load"]), list(run.links["load"]))
            self.assertEqual(len(told), s.counts["consumed_packets"])
            self.assertEqual(s.cycle, run.summary["cycles"])
            later = s.measure(warmup=0, convergence_count=0, batch=500, batches=2)  # goes on from there
            self.assertEqual(len(later.window), 1000)
            self.assertEqual(later.window.start, run.summary["cycles"])
            self.assertAlmostEqual(later.accepted, 0.3, delta=0.05)
            with self.assertRaisesRegex(sare.Error, "batchs.*did you mean 'batch'"):
                s.measure(batchs=3)
            with self.assertRaisesRegex(sare.Error, "no figures of 'links'"):
                later.table("links")

    def test_measures_what_callbacks_send(self):
        with sare.Simulation(common.small().set({"traffic": None})) as s:
            s.on_delivery(lambda d: s.send(d.destination, d.source, 3))  # for ever to and fro, alone
            s.send(0, 5, 3)
            found = s.measure(warmup=100, convergence_count=0, batch=1000, batches=2)
            trips = found.accepted * 16 * 2000 / 3
            self.assertAlmostEqual(found.latency, 2000 / trips - 1, delta=1)

    def test_arrays(self):
        with sare.Simulation(common.small().set({"traffic.load": 0.4})) as s:
            queues, credits = s.queues, s.credits
            self.assertEqual((queues.shape, queues.dtype), ((16, 5, 2), np.uint16))
            self.assertEqual(queues.sum(), 0)
            s.step(500)
            self.assertGreater(queues.sum(), 0)  # it is the same memory
            self.assertEqual(queues.ctypes.data, s.queues.ctypes.data)
            self.assertFalse(queues.flags.writeable)
            inside = s.counts["injected_flits"] - s.counts["consumed_flits"]
            self.assertLessEqual(queues.sum(), inside)
            self.assertTrue((credits <= 4).all())
            injected, consumed = s.injected, s.consumed  # the same memory after the next step
            s.step(50)
            self.assertEqual(injected.sum(), s.counts["injected_flits"])
            self.assertEqual(consumed.sum(), s.counts["consumed_flits"])
            self.assertEqual(injected.ctypes.data, s.injected.ctypes.data)
            self.assertEqual(s.waiting.shape, (16,))
            s.set_load(0)
            self.assertTrue(s.drain())
            self.assertEqual(queues.sum(), 0)
            s.step(10)
            wired = credits[0, : s.ports[0]]
            self.assertEqual(set(wired[wired > 0]), {4})
            sent = s.sent
            self.assertEqual(sent.sum(), s.counts["flit_hops"])
        self.assertEqual(sent.sum(), sent.copy().sum())  # still there

    def test_tells_the_journeys_of_packets(self):
        with sare.Simulation(common.small().set({"traffic.load": 0.5, "traffic.length": 3})) as s:
            with self.assertRaisesRegex(sare.Error, r"^packets are known from trace\(\) on"):
                s.packet(7)
            s.trace()
            latencies = []
            s.on_delivery(lambda d: latencies.append(d.consumed - d.generated))
            s.step(400)
            arrived = []
            for number in s.packets[:60]:
                packet = s.packet(number)
                spans = packet.journey()
                arrived.append(packet.latency)
                self.assertEqual(spans["cycles"].sum(), packet.latency)
                self.assertEqual(spans[spans["waits"]]["cycles"].sum(), packet.facts["waited"])
                self.assertEqual(list(spans["from"])[1:], list(spans["to"])[:-1])
                self.assertEqual(spans["from"].iloc[0], packet.facts["generated"])
            self.assertFalse(Counter(arrived) - Counter(latencies))
            self.assertRegex(repr(packet), rf"^packet {number}: node \d+ to \d+, 3 flits, {packet.latency} cycles, of which \d+ ")
            with self.assertRaisesRegex(sare.Error, "^packet 99999999 has not arrived, or was not traced"):
                s.packet(99999999)

    def test_looks_into_routers(self):
        with sare.Simulation(common.small().set({"traffic.load": 0.5, "traffic.length": 3})) as s:
            s.step(300)
            for number in (0, 5):
                router = s.router(number)
                vcs, flits = router.vcs, router.flits
                self.assertEqual(len(vcs), s.ports[number] * 2)
                self.assertEqual(list(vcs["flits"]), list(s.queues[number, :s.ports[number]].flatten()))
                self.assertEqual(list(vcs["credits"]), list(s.credits[number, :s.ports[number]].flatten()))
                self.assertEqual(len(flits), vcs["flits"].sum())
                held = vcs[vcs["flits"] > 0]
                front = flits[flits["place"] == 0]
                self.assertEqual(list(front["destination"]), list(held["destination"]))
                self.assertEqual(list(front["port"] + front["vc"].astype(str)), list(held["port"] + held["vc"].astype(str)))
                for _, row in vcs[vcs["state"] == "active"].iterrows():  # the output VC says so, too
                    out = vcs[(vcs["port"] == row["out_port"]) & (vcs["vc"] == row["out_vc"])].iloc[0]
                    self.assertEqual(out["owner"], f"{row['port']} vc {row['vc']}")
            self.assertEqual(len(router.arbiters), 5 * 2 * 2 + 5 + 5)
            self.assertIn("SA output +x", set(router.arbiters["arbiter"]))
            self.assertRegex(repr(router), "^router 5 .* after cycle 299\nport ")
            before = router.vcs["sent"].sum()
            s.step(100)
            self.assertGreater(router.vcs["sent"].sum(), before)  # it is read anew
            with self.assertRaisesRegex(sare.Error, "^there is no router 16; there are 0 to 15$"):
                s.router(16)
        with self.assertRaisesRegex(sare.Error, "closed"):
            router.vcs

    def test_messages(self):
        with sare.Simulation(common.small().set({"traffic": None})) as s:
            s.keep_deliveries()
            told = []
            s.on_delivery(told.append)
            s.send(0, 15, 4, tag=7)
            s.send(3, 3)
            self.assertTrue(s.drain())
            found = s.deliveries()
            self.assertEqual(list(found["tag"]), [d.tag for d in told])
            self.assertEqual(sorted(found["tag"]), [0, 7])
            far = found[found["tag"] == 7][0]
            self.assertEqual((far["source"], far["destination"], far["flits"]), (0, 15, 4))
            self.assertGreater(far["consumed"], far["generated"] + 7)
            self.assertEqual(len(s.deliveries()), 0)
            with self.assertRaisesRegex(sare.Error, "a message .*node 99"):
                s.send(0, 99)
            with self.assertRaisesRegex(sare.Error, "^flits is 1000000000000; it must be below"):
                s.send(0, 1, 10**12)

    def test_reply_from_a_callback(self):
        with sare.Simulation(common.small().set({"traffic": None})) as s:
            s.on_delivery(lambda d: d.tag == 1 and s.send(d.destination, d.source, tag=2))
            s.keep_deliveries()
            s.send(0, 15, tag=1)
            s.drain()
            self.assertEqual(list(s.deliveries()["tag"]), [1, 2])

    def test_exception_in_a_callback(self):
        with sare.Simulation(common.small()) as s:
            def fail(d):
                raise ValueError("mine")
            s.on_delivery(fail)
            with self.assertRaisesRegex(ValueError, "mine"):
                s.step(1000)
            with self.assertRaisesRegex(sare.Error, "has failed; make another one"):
                s.step()
        with sare.Simulation(common.small()) as s:
            s.step(100)

    def test_callbacks_that_may_not(self):
        for wrong, sentence in ((lambda s: s.step(), "cannot step"), (lambda s: s.close(), "cannot be closed")):
            with sare.Simulation(common.small()) as s:
                s.on_delivery(lambda d: wrong(s))
                with self.assertRaisesRegex(sare.Error, sentence):
                    s.step(1000)

    def test_another_thread(self):
        told = []
        with sare.Simulation(common.small()) as s:
            def look(d):
                if not told:
                    def other():
                        try:
                            s.send(0, 1)
                        except sare.Error as problem:
                            told.append(str(problem))
                    worker = threading.Thread(target=other)
                    worker.start()
                    worker.join(10)
            s.on_delivery(look)
            s.step(300)
        self.assertEqual(told, ["another thread steps this Simulation; wait until it has"])

    def test_one_at_a_time(self):
        with sare.Simulation(common.small()) as s:
            with self.assertRaisesRegex(sare.Error, "SystemC holds one at a time; close it first"):
                sare.Simulation(common.small())
            s.step(10)
        totals = set()
        for _ in range(5):
            with sare.Simulation(common.small()) as s:
                s.step(300)
                totals.add(s.counts["consumed_flits"])
        self.assertEqual(len(totals), 1)
        with self.assertRaisesRegex(sare.Error, "closed"):
            s.step()

    def test_load(self):
        with sare.Simulation(common.small()) as s:
            rates = []
            for load in (0.1, 0.4, 0.0, 0.2):
                s.set_load(load)
                s.step(200)
                before = s.counts["generated_flits"]
                s.step(2000)
                rates.append((s.counts["generated_flits"] - before) / 2000 / 16)
            np.testing.assert_allclose(rates, [0.1, 0.4, 0.0, 0.2], atol=0.03)
        with sare.Simulation(common.small().set({"traffic": {"workload": "random"}})) as s:
            with self.assertRaisesRegex(sare.Error, "no load that can change"):
                s.set_load(0.1)

    def test_failures(self):
        e = common.small().set({"routing": "up_down", "traffic.load": 0.1})
        with sare.Simulation(e) as s:
            with self.assertRaisesRegex(sare.Error, "failures=True"):
                s.fail_link(0, 1)
        with sare.Simulation(e, failures=True) as s:
            s.step(500)
            s.fail_link(5, 6)
            with self.assertRaisesRegex(sare.Error, "no link between"):
                s.fail_link(0, 15)
            with self.assertRaisesRegex(sare.Error, "^there is no router 99"):
                s.fail_router(99)
            sent = s.sent.copy()
            s.step(3000)
            east = [p for p in range(4) if sare.topology(e).has_edge(("router", 5), ("router", 6))]
            self.assertTrue(east)
            before = s.counts["consumed_flits"]
            s.step(2000)
            self.assertGreater(s.counts["consumed_flits"], before + 1000)
            ports = {d["port"] for d in sare.topology(e)[("router", 5)][("router", 6)].values()}
            for port in ports:
                self.assertEqual(s.sent[5, port].sum(), sent[5, port].sum())

    def test_stalls_and_reset(self):
        with sare.Simulation(common.small().set({"traffic.load": 0.6})) as s:
            stalls = s.stalls
            self.assertEqual(stalls.sum(), 0)
            s.step(500)
            self.assertGreater(stalls.sum(), 0)
            self.assertEqual(stalls.ctypes.data, s.stalls.ctypes.data)
            s.reset()
            s.step(1)
            self.assertLess(s.counts["injected_flits"] - s.counts["consumed_flits"], 100 + s.counts["injected_flits"])

    def test_environment(self):
        """The example, whose methods are gymnasium's."""
        example = Path(__file__).resolve().parents[2] / "tb/python/examples/environment.py"
        world = runpy.run_path(str(example))["LoadControl"](steps=5)
        for _ in range(2):
            seen, _ = world.reset(seed=1)
            self.assertEqual(seen.shape, (16,))
            over, rewards = False, []
            while not over:
                seen, reward, terminated, over, more = world.step(4)
                rewards.append(reward)
            self.assertEqual((len(rewards), terminated), (5, False))
            self.assertGreater(more["consumed_flits"], 0)
        world.close()

    def test_interrupt(self):
        with sare.Simulation(common.small()) as s:
            threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                s.run_until(10**10)
            at = s.cycle
            self.assertGreater(at, 1000)
            s.step(10)
            self.assertEqual(s.cycle, at + 10)

    def test_fork(self):
        """A child goes on with its own copy, whatever threads there are."""
        stop = threading.Event()
        threading.Thread(target=stop.wait, daemon=True).start()
        with sare.Simulation(common.small()) as s:
            s.step(100)
            child = os.fork()
            if child == 0:
                s.step(100)
                os._exit(0 if s.cycle == 200 else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.assertEqual(s.cycle, 100)
        stop.set()


if __name__ == "__main__":
    unittest.main()
