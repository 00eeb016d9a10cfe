# SPDX-License-Identifier: Apache-2.0
"""Pages and pictures of results: runs, sweeps (sweeps), figures for papers (paper). scripts/report and scripts/plot call it."""
