# SPDX-License-Identifier: MIT
"""Standard streams whose reader may go away, as in `mpigraft tune ... | head`: the program goes on, and what nobody reads
is dropped."""

import os
import sys


class Stream:
    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        try:
            self.stream.write(text)
            self.stream.flush()
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.stream.fileno())  # also for what is left in the buffer
            os.close(nowhere)

    def flush(self):
        """Nothing waits: every write has flushed."""

    def __getattr__(self, name):
        return getattr(self.stream, name)


def outlive_readers():
    sys.stdout, sys.stderr = Stream(sys.stdout), Stream(sys.stderr)
