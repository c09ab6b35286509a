# SPDX-License-Identifier: MIT
"""Where Debian's packages have the start of `module` for bash."""

from pathlib import Path

LMOD = Path("/usr/share/lmod/lmod/init/bash")
ENVIRONMENT_MODULES = Path("/usr/share/modules/init/bash")
