# SPDX-License-Identifier: MIT
"""The files with which Debian's packages start `module` in bash."""

from pathlib import Path

LMOD = Path("/usr/share/lmod/lmod/init/bash")
ENVIRONMENT_MODULES = Path("/usr/share/modules/init/bash")
