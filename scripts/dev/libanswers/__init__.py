# SPDX-License-Identifier: Apache-2.0
"""scripts/dev/campaign answers: questions whose answer is known, one file a kind."""
