# SPDX-License-Identifier: MIT
"""What mpigraft compare says: a document with times, ratios and the verdict, which is printed as text or JSON and written as a
page; and the exit code."""

import json
import sys
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).resolve().parent.parent))  # where the scripts of pages are
import compare_page
from console import INTERRUPTED, columns, counted, minutes
from kinds import WORDS, all_together, kinds_of, ran_most, rule_of, sizes_of, slower_kinds
from page import function_of, write

NOT_SLOWER, SLOWER, OTHER_OUTPUT, NOT_COMPARED = range(4)  # exit codes
SAME, NOT_COMPARABLE, DIFFERENT = "same", "not comparable", "different"  # output
OTHER_CODE = "different exit code"
NOTICED = 0.01  # the share of the program's time from which on a kind of call is blamed
ARMS = {"native": "native", "native again": "null", "grafted": "grafted"}  # those whose wall times count


def time_text(seconds):
    return f"{seconds:.3f}" if seconds < 100 else f"{seconds:.1f}"


def ratio_text(ratio):
    return f"{ratio:.2f}" if ratio < 100 else f"{ratio:.0f}"


def loss(kind):
    native, grafted = (f"{median(kind[arm]):.4g} us" for arm in ("native_us", "grafted_us"))
    return (f"{function_of(kind)} of {sizes_of(kind)} bytes on {kind['ranks']} ranks: {native} natively, {grafted} by "
            f"{ran_most(kind)}")


def set_up_words(reports):
    """What the set-up of communicators took, which is in no kind of call."""
    found = [report["set_up"] for report in reports if report.get("set_up", {}).get("communicators")]
    if not found:
        return ""
    took = median(one["time"]["mean_ns"] for one in found) / 1e9
    return f": the set-up of {counted(found[0]['communicators'], 'communicator')} took {took:.3f} s a rank"


def blame(verdict, slower, reports):
    """Lines that tell which calls got slower, and what to do. `reports`: of grafted launches."""
    grafted = [kind for kind in slower if any(name != "native" for name in kind["ran"])]
    if grafted:
        lines = ["To blame is " if verdict < 0 else "But slower is ", "Slower, too, is "]
        told = [f"{lines[min(number, 1)]}{loss(kind)}." for number, kind in enumerate(grafted[:3])]
        these, leave = ("This rule", "leaves") if len(grafted) == 1 else ("These rules", "leave")
        return [*told, f"{these}, before all others of the table, {leave} such calls native:",
                *(f"  {json.dumps(rule_of(kind))}" for kind in grafted[:3])]
    if verdict >= 0:
        return []
    return [f"No kind of grafted call is slower beyond the noise, so the time is lost elsewhere{set_up_words(reports)}.",
            "Try MPIGRAFT_WAIT=native, or leave collectives native one by one (--force exscan=native)."]


def speed_words(comparison, wall, slower, reports):
    """Lines that tell who is faster, and who is to blame."""
    if not wall.judged():
        return ["Too few launches for a verdict: it takes two of each arm after the warm-up"
                + (f", about {minutes(comparison.seconds_for(13))}." if comparison.launches else ".")]
    verdict = wall.verdict()
    found = {1: "Faster", 0: "No difference beyond the noise", -1: "Slower"}[verdict]
    return [f"{found}: {ratio_text(wall.ratio())} times as fast as natively (native against native: "
            f"{ratio_text(wall.null_ratio())}).", *blame(verdict, slower, reports)]


def nothing_grafted(reports):
    """A note if all calls of grafted launches were native."""
    rows = [row for report in reports for row in report["rows"] if row["calls"]]
    if not rows or any(row["ran"] != "native" for row in rows):
        return []
    return [f"nothing was grafted: {max(rows, key=lambda row: row['calls'])['reason']}; ask `mpigraft doctor`"]


def verdict_of(comparison, wall, output):
    """(a word or two, the exit code)"""
    if comparison.failure:
        return OTHER_CODE, OTHER_OUTPUT
    if output == DIFFERENT:
        return "different output", OTHER_OUTPUT
    if not wall.judged():
        return "too few launches", NOT_COMPARED
    return WORDS[wall.verdict()], SLOWER if wall.verdict() < 0 else NOT_SLOWER


def document_of(comparison):
    wall, (native, grafted) = comparison.wall(), comparison.reports.values()
    enough = min(len(native), len(grafted)) > 1
    kinds = kinds_of(native, grafted) if enough else []
    slower = slower_kinds(kinds, NOTICED * median(wall.base) if wall.base else 0)
    output, difference = comparison.outputs.verdict()
    if not comparison.launches or comparison.asked["ignore_output"]:
        output = "not compared"
    verdict, code = verdict_of(comparison, wall, output)
    ratios = {}
    if wall.judged():
        ratios = {"ratio": wall.ratio(), "null_ratio": wall.null_ratio(), "ratio_of_minima": wall.ratio(min)}
    program = [word.encode(errors="backslashreplace").decode() for word in comparison.program]
    return {"mpigraft": comparison.asked["version"], "kind": "comparison", "program": program,
            "ranks": comparison.asked["ranks"], "launches": comparison.launches, "verdict": verdict,
            "told": speed_words(comparison, wall, slower, grafted), "exit_code": INTERRUPTED if comparison.interrupted else code,
            "wall_s": comparison.seconds, "wall": ratios, "collectives": all_together(native, grafted) if enough else {},
            "calls": kinds, "rules": [rule_of(kind) for kind in slower if ran_most(kind) != "native"],
            "output": {"verdict": output, "difference": comparison.failure or difference}, "notes": [*comparison.notes, *nothing_grafted(grafted)]}


def output_words(document):
    count, difference = document["launches"], document["output"]["difference"]
    if document["verdict"] == OTHER_CODE:
        return difference[0].upper() + difference[1:]
    told = {SAME: f"Output and exit code: the same in {'all ' * (count > 1)}{counted(count, 'launch', 'launches')}.",
            NOT_COMPARABLE: f"Output cannot be compared, because it differs between native launches: {difference}.",
            DIFFERENT: f"Output differs: {difference}."}
    return told.get(document["output"]["verdict"], "Output was not compared.")


def wall_table(wall_s):
    rows = [("WALL TIME", "LAUNCHES", "MIN S", "MEDIAN S", "MAX S", "NATIVE / THIS")]
    native = wall_s["native"] + wall_s["null"]
    for name, arm in ARMS.items():
        times = wall_s[arm]
        if times:
            rows.append((name, str(len(times)), *(time_text(of(times)) for of in (min, median, max)),
                         ratio_text(median(native) / median(times)) if native else ""))
    return columns(rows)


def calls_table(calls):
    rows = [("CALL", "RANKS", "BYTES", "CALLS", "NATIVE US", "GRAFTED US", "NATIVE / NATIVE", "NATIVE / GRAFTED", "", "RAN")]
    for kind in calls:
        us = (f"{median(kind[arm]):.4g}" for arm in ("native_us", "grafted_us"))
        rows.append((function_of(kind), str(kind["ranks"]), sizes_of(kind), str(kind["calls"]), *us,
                     ratio_text(kind["null_ratio"]), ratio_text(kind["ratio"]), kind["verdict"].replace(WORDS[0], ""),
                     ran_most(kind)))
    return columns(rows)


def collectives_line(collectives):
    native, grafted = (time_text(median(collectives[arm])) for arm in ("native_s", "grafted_s"))
    told = f"Time in collectives, a rank's mean in launches with a report: {native} s natively, {grafted} s grafted"
    if "ratio" in collectives:
        ratio, null = (ratio_text(collectives[name]) for name in ("ratio", "null_ratio"))
        told += f"; ratio {ratio}, native against native {null}"
    return told


def text_of(document):
    parts = [f"{document['program'][0]} on {counted(document['ranks'], 'rank')}"]
    if document["wall_s"]["native"] or document["wall_s"]["grafted"]:
        parts.append(wall_table(document["wall_s"]))
    if document["calls"]:
        parts += [collectives_line(document["collectives"]), calls_table(document["calls"])]
    elif document["collectives"]:
        parts.append("No collective that mpigraft knows was made on several ranks.")
    notes = [f"note: {note}" for note in document["notes"]]
    return "\n\n".join([*parts, "\n".join([*notes, *document["told"], output_words(document)])])


def tell(comparison):
    """Prints the answer, and returns the exit code."""
    document = document_of(comparison)
    print(json.dumps(document, indent=2) if comparison.asked["json"] else text_of(document))
    if comparison.asked["html"]:
        write(comparison.asked["html"], compare_page.page(document))
    return document["exit_code"]
