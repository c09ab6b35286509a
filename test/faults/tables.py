# SPDX-License-Identifier: MIT
"""Tables that are not there, cannot be read, are broken, or change while a job starts."""

import contextlib
import os
import random
import socket
import threading
from pathlib import Path

import collectives

VALID = collectives.table(*collectives.rules(scan="butterfly", exscan="doubling_123")).encode()
OTHER = VALID.replace(b"butterfly", b"binomial")
LIMIT = 1 << 20  # bytes of a table


def rule(text):
    return b'{"version": 1, "rules": [{"collective": "scan", "algorithm": "binomial", ' + text + b"}]}"


# Files of these bytes cost one message that names file and place, and make every call native.
BROKEN = {
    "empty": b"",
    "white": b" \n\t" * 1000,
    "cut": VALID[:-4],
    "deep_arrays": b"[" * 100_000,
    "duplicate_rules": b'{"version": 1, "rules": [], "rules": []}',
    "duplicate_in_rule": rule(b'"algorithm": "butterfly"'),
    "huge_version": b'{"version": 99999999999999999999999, "rules": []}',
    "huge_digits": rule(b'"ranks": {"max": ' + b"9" * 100_000 + b"}"),
    "huge_ports": rule(b'"ports": 9223372036854775807'),
    "nul_amid": VALID.replace(b"butter", b"but\0er"),
    "utf8_lone": VALID.replace(b"butter", b"but\xffer"),
    "utf16": VALID.decode().encode("utf-16"),
    "byte_order_mark": b"\xef\xbb\xbf" + VALID,
    "long_name": VALID.replace(b"butterfly", b"b" * 100_000),
    "terminal_codes": VALID.replace(b"butterfly", b"\\u001b[31m\\u0007"),
    "format": VALID.replace(b"butterfly", b"%s%n%99999d"),
    "many_defects": b'{"version": 1, "rules": [' + b"{}," * 20_000 + b"{}]}",
    "noise": random.Random(0).randbytes(5000),
}

# Files of these bytes are tables.
USABLE = {
    "crlf": VALID.replace(b"\n", b"\r\n"),
    "one_line": VALID.replace(b"\n", b""),
    "as_long_as_may_be": VALID + b" " * (LIMIT - len(VALID)),
    "many_rules": VALID.replace(
        b"[", b"[" + 5000 * b'{"collective": "scan", "ranks": {"min": 999}, "algorithm": "native"},'),
    "long_note": VALID.replace(b'"rules"', b'"note": "' + b"n" * 500_000 + b'", "rules"'),
}


def made(path, make):
    make(path)
    return path


def written(path, content):
    return made(path, lambda path: path.write_bytes(content))


def link(folder, to):
    return made(folder / "link.json", lambda path: path.symlink_to(to))


# The file at MPIGRAFT_TABLE, and the one message about it.
PLACES = {
    "missing": (lambda folder: folder / "table.json", "No such file"),
    "missing_folder": (lambda folder: folder / "no" / "table.json", "No such file"),
    "below_a_file": (lambda folder: written(folder / "t", VALID) / "table.json", "Not a directory"),
    "unreadable": (lambda folder: made(written(folder / "t", VALID), lambda path: path.chmod(0)), "Permission denied"),
    "fails_to_read": (lambda folder: Path("/proc/self/mem"), "Input/output error"),
    "fifo": (lambda folder: made(folder / "t", os.mkfifo), "not a regular file"),
    "socket": (lambda folder: made(folder / "t", lambda path: socket.socket(socket.AF_UNIX).bind(str(path))), "not a regular file"),
    "directory": (lambda folder: folder, "is a directory"),
    "zeros": (lambda folder: Path("/dev/zero"), "not a regular file"),
    "null_device": (lambda folder: Path("/dev/null"), "not a regular file"),
    "terminal": (lambda folder: Path("/dev/tty"), "/dev/tty: "),
    "gigabyte": (lambda folder: made(written(folder / "t", b""), lambda path: os.truncate(path, 1 << 30)), "larger than 1 MiB"),
    "one_byte_too_long": (lambda folder: written(folder / "t", VALID + b" " * (LIMIT + 1 - len(VALID))), "larger than"),
    "link_to_itself": (lambda folder: link(folder, "link.json"), "symbolic links"),
    "link_to_nothing": (lambda folder: link(folder, "nothing"), "No such file"),
    "name_too_long": (lambda folder: folder / ("x" * 300), "name too long"),
    "path_too_long": (lambda folder: Path("/" + "x/" * 5000), "name too long"),
    "binary_name": (lambda folder: written(folder / "a\x1b[31m\udcff\n", b"{"), ""),
    "of_procfs": (lambda folder: Path("/proc/self/status"), "status:1:1"),
}

# A table in an odd place.
GOOD_PLACES = {
    "link": lambda folder: link(folder, written(folder / "table", VALID)),
    "odd_name": lambda folder: written(folder / "a b\t$(x)'\"*\u00e4 .json", VALID),
}


def replace(path, content):
    os.replace(written(path.with_suffix(".new"), content), path)


def rewrite(path, content):
    path.write_bytes(content)


def remove_or_write(path, content):
    path.unlink(missing_ok=True) if content == OTHER else replace(path, content)


def grow(path, content):
    with path.open("ab") as file:
        file.write(b" " * 4096 if content == OTHER else b"")
    if path.stat().st_size > 2 * LIMIT:
        path.write_bytes(VALID)


def break_or_mend(path, content):
    replace(path, b"{" if content == OTHER else content)


# Changes that are made again and again while a job starts; each ends in one table, or in one message.
CHANGES = {"replaced": replace, "rewritten": rewrite, "removed": remove_or_write, "growing": grow,
           "broken_and_mended": break_or_mend}


@contextlib.contextmanager
def changing(path, change):
    """Applies the change, if there is one, to the file again and again."""
    end = threading.Event()

    def work():
        while change and not end.is_set():
            for content in (OTHER, VALID):
                change(path, content)
                end.wait(0.0005)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()
