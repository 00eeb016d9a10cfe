# SPDX-License-Identifier: Apache-2.0
"""What ends the script with one line."""


class Problem(Exception):
    pass
