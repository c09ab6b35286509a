# SPDX-License-Identifier: MIT
"""Knows nothing of MPI: `uses_plugin.py FILE` loads a plugin that does, for itself alone, uses it and unloads it."""

import _ctypes
import ctypes
import sys

plugin = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_LOCAL)
rank = plugin.plugin_start()
mine, total = ctypes.c_int64(rank + 1), ctypes.c_int64(0)
error = plugin.plugin_sum(ctypes.byref(mine), ctypes.byref(total))
right = error == 0 and total.value == (rank + 1) * (rank + 2) // 2
if rank == 0:
    print("sum", "ok" if right else "WRONG", flush=True)
code = plugin.plugin_finish()
_ctypes.dlclose(plugin._handle)
if rank == 0:
    print("plugin closed", flush=True)
sys.exit(code if right else 1)
