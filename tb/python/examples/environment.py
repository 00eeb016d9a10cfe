#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""An environment for reinforcement learning, with the methods of gymnasium and without the library: how much load may the
nodes be given, so that much arrives and little waits?"""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np

import sare

Observation = np.ndarray[Any, Any]


class LoadControl:
    """Each step chooses one of five loads for the next 100 cycles.

    Observed are mean flits in the input VCs of each router [router]; the reward is the flits that arrived, less what waits in
    source queues, per node and cycle.
    """

    loads = (0.1, 0.2, 0.3, 0.4, 0.5)
    cycles = 100

    def __init__(self, steps: int = 50) -> None:
        self.steps = steps
        self.experiment = sare.Experiment(network=sare.topologies.Mesh(dims=[4, 4]), routing="dor",
                                          traffic=sare.workloads.Bernoulli(pattern="transpose", load=0.1, length=4))
        self.network: Optional[sare.Simulation] = None

    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[Observation, Dict[str, Any]]:
        """A new episode: an empty network. There are no ``options``."""
        self.close()
        self.network = sare.Simulation(self.experiment.set({} if seed is None else {"seed": seed}))
        self.left = self.steps
        return self._observe(), {}

    def step(self, action: int) -> Tuple[Observation, float, bool, bool, Dict[str, Any]]:
        """Observation, reward, terminated (never), truncated, more."""
        assert self.network is not None, "reset() comes first"
        before = self.network.counts["consumed_flits"]
        self.network.set_load(self.loads[action])
        self.network.step(self.cycles)
        arrived = (self.network.counts["consumed_flits"] - before) / self.cycles / 16
        self.left -= 1
        return self._observe(), arrived - 0.02 * float(self.network.waiting.mean()), False, self.left == 0, self.network.counts

    def close(self) -> None:
        if self.network is not None:
            self.network.close()

    def _observe(self) -> Observation:
        assert self.network is not None
        mean: Observation = self.network.queues.mean(axis=(1, 2))
        return mean


def main() -> None:
    """The best of the loads, tried one by one."""
    world = LoadControl()
    for action, load in enumerate(world.loads):
        world.reset(seed=1)
        total, over = 0.0, False
        while not over:
            _, reward, _, over, _ = world.step(action)
            total += reward
        print(f"load {load}: reward {total:.2f}")
    world.close()


if __name__ == "__main__":
    main()
