#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What jobs with libmpigraft.so do that no single launch shows. `whole_jobs.py NAME` runs a case, which is a test."""

import choices  # noqa: F401  whose cases these are
import commands  # noqa: F401
import hangs  # noqa: F401
import launch
import learns  # noqa: F401
import long_run  # noqa: F401
import report  # noqa: F401
import settings  # noqa: F401
import verifies  # noqa: F401

if __name__ == "__main__":
    launch.run_case(__doc__, "--watch")
