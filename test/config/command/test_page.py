# SPDX-License-Identifier: MIT
"""The pages of `mpigraft report`, `model` and `explain --all` in a browser: what they show, how tables sort, and that they
fit a narrow window."""
import json
import re
import shutil
import subprocess
import sys
from html import escape, unescape

from command_call import DEFAULT_TABLE, Folder, call, text_of
from test_report import report, row

CHROMIUM = shutil.which("chromium")
if not CHROMIUM:
    print("skipped: no chromium to show the page in; install it: apt-get install chromium")
    sys.exit(77)
WIDTH = 420  # pixels of a phone
PROGRAM = "a<b>&\"'é日本_</script>_" + "long" * 40
SIZES = {"scan": (0, 8, 64, 1024), "exscan": (8, 100, 1 << 20), "bcast": (1, 9, 1 << 34), "reduce": (8, 4096)}

# Chromium's own window is at least 500 pixels wide.
FRAME = '<!DOCTYPE html><pre></pre><iframe style="border: 0; width: {}px; height: 900px" srcdoc="{}"></iframe>'

# Runs at the end of the page, and leaves what it sees in the document around it.
PROBE = """
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const seen = {width: innerWidth, title: document.title, heading: document.querySelector("h1").textContent, sorted: {}};
seen.requests = performance.getEntriesByType("resource").map(entry => entry.name);
seen.page = document.documentElement.scrollWidth;
seen.wide = all("body *").filter(e => !e.closest(".scroll table") && e.getBoundingClientRect().right > innerWidth + 0.5)
  .map(e => e.outerHTML.slice(0, 80));
seen.bars = all("figure").map(figure => all(".bars > div", figure).map(bar =>
  all("i", bar).map(i => [i.className, i.getBoundingClientRect().width / bar.getBoundingClientRect().width])));
seen.legends = all("figure").map(figure => all(".legend span", figure).map(span => span.textContent));
seen.rows = all("table").map(table => all("tbody tr", table).map(row => [...row.cells].map(cell => cell.textContent)));
seen.colours = all("figure:first-of-type .legend i").map(i => getComputedStyle(i).backgroundColor);
const table = document.querySelector("table");
for (const button of table ? all("th button", table) : []) {
  const head = button.closest("th");
  const column = () => [head.getAttribute("aria-sort"), all("th[aria-sort]", table).length,
    all("tbody tr", table).map(row => row.cells[head.cellIndex]).map(cell => cell.dataset.key ?? cell.textContent)];
  button.focus();
  seen.sorted[button.textContent] = [document.activeElement === button, head.className];
  for (const click of [1, 2]) { button.click(); seen.sorted[button.textContent].push(column()); }
}
const box = e => { const {left, right, top, bottom} = e.getBoundingClientRect(); return {left, right, top, bottom}; };
seen.drawn = all("figure > svg").map(svg => ({box: box(svg), titles: all("title", svg).map(t => t.textContent),
  texts: all("text", svg).map(t => t.textContent), fills: all("rect", svg).map(r => getComputedStyle(r).fill),
  shapes: all("rect, polyline", svg).map(shape => ({name: shape.querySelector("title").textContent, ...box(shape)}))}));
const filter = document.querySelector(".filter");
if (filter) {
  filter.querySelector("input").value = "bcast  NO rule";
  filter.querySelector("input").dispatchEvent(new Event("input", {bubbles: true}));
  seen.left = all("tbody tr", table).filter(row => row.getClientRects().length).map(row => row.cells[0].textContent);
  seen.counted = filter.querySelector("output").textContent;
}
parent.document.querySelector("pre").textContent = JSON.stringify(seen);
"""


def job():
    rows = [row(collective=collective, bytes_min=size, bytes_max=size, calls=3 ** (number + 5 * len(collective)),
                total_bytes=size, time={**row()["time"], "sum_ns": 10 ** (9 + number)})
            for collective, sizes in SIZES.items() for number, size in enumerate(sizes)]
    return report(program=PROGRAM, table="/" + "folder" * 30 + "/table.json", rows=rows)


class Page(Folder):
    def seen(self, document):
        return self.seen_of("report", self.write("job.json", json.dumps(document)))

    def seen_of(self, *arguments):
        """The probe's words, and nothing on the console."""
        page = self.path("page.html")
        self.assertEqual(call(*arguments, "--html", page), (0, "", ""))
        text = text_of(page).replace("</body>", f"<script>{{{PROBE}}}</script></body>")
        frame = self.write("frame.html", FRAME.format(WIDTH, escape(text)))
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                               "--enable-logging=stderr", f"--user-data-dir={self.path('profile')}", "--dump-dom", frame],
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual([line for line in done.stderr.splitlines() if "CONSOLE" in line], [])
        answer = re.search(r"<pre>(.+?)</pre>", done.stdout, re.DOTALL)
        self.assertTrue(answer, f"no answer of the page\n{done.stdout}\n{done.stderr}")
        found = json.loads(unescape(answer[1]))
        self.assertEqual((found["width"], found["page"], found["wide"], found["requests"]), (WIDTH, WIDTH, [], []))
        return found

    def test_page(self):
        document = job()
        seen = self.seen(document)
        self.assertEqual((seen["title"], seen["heading"]), (f"{PROGRAM}: mpigraft report", PROGRAM))
        self.check_sorting(seen["sorted"], document["rows"])
        self.check_bars(seen, document["rows"])
        self.assertEqual((seen["left"], seen["counted"]), (["bcast"] * 3, "3 of 12 rows"))
        self.assertEqual([cells[2] for cells in seen["rows"][0]][:2], ["1 KiB", "64 B"])  # most time first
        self.assertEqual(seen["rows"][1][0][:3], ["a <b>", "17", "ada"])

    def check_sorting(self, heads, rows):
        self.assertEqual(len(heads), 15)
        for title, (focused, kind, *clicks) in heads.items():
            self.assertTrue(focused, title)
            self.assertEqual([click[:2] for click in clicks], [["ascending", 1], ["descending", 1]], title)
            read = float if kind == "number" else str
            up, down = ([read(key) for key in click[2]] for click in clicks)
            self.assertEqual((up, down), (sorted(up), sorted(up, reverse=True)), title)
        for title, key in (("calls", "calls"), ("bytes", "bytes_min")):
            self.assertEqual([int(value) for value in heads[title][2][2]], sorted(row[key] for row in rows))

    def check_bars(self, seen, rows):
        """A bar for each power of two at which sizes begin, with a piece for each collective that is as long as its
        value."""
        for bars, value in zip(seen["bars"], (lambda row: row["time"]["sum_ns"], lambda row: row["calls"]), strict=True):
            wanted = {}
            for row_ in rows:
                wanted.setdefault(row_["bytes_min"].bit_length(), {})[row_["collective"]] = value(row_)
            most = max(sum(parts.values()) for parts in wanted.values())
            self.assertEqual([[name for name, _ in bar] for bar in bars], [list(wanted[bits]) for bits in sorted(wanted)])
            for bits, bar in zip(sorted(wanted), bars):
                for name, width in bar:
                    self.assertAlmostEqual(width, wanted[bits][name] / most, delta=0.02, msg=f"{bits} {name}")
        self.assertEqual(seen["legends"], [list(SIZES)] * 2)
        self.assertEqual(len({*seen["colours"]} - {"rgba(0, 0, 0, 0)"}), len(SIZES), seen["colours"])

    def test_map(self):
        """Cells fill the map, which has rectangles in as many colours as its legend has names."""
        seen = self.seen_of("explain", "--all", "--collective", "scan", "--table", DEFAULT_TABLE, "--ranks-per-node", "1")
        (drawn,), (legend,) = seen["drawn"], seen["legends"]
        self.assertEqual(legend[0], "native")
        self.assertEqual({title.split(":")[0] for title in drawn["titles"]}, {*legend})
        self.assertEqual(len({*drawn["fills"]} - {"rgb(0, 0, 0)"}), len(legend))
        self.assertLessEqual({"2", "1024", "1 B", "32 KiB"}, {*drawn["texts"]})
        least, most = (f"scan/hillis_steele: {ranks} ranks, " for ranks in (2, 65536))
        low, high = (next(one for one in drawn["shapes"] if one["name"].startswith(name)) for name in (least, most))
        self.assertGreater(low["top"], high["bottom"])  # more ranks are further up
        self.assert_inside(drawn)

    def test_model(self):
        """Curves rise with the bytes; the legend has the slowest first, and the table every figure."""
        arguments = ("model", "--collective", "scan", "--ranks", "4", "--bytes", "8..64K")
        seen = self.seen_of(*arguments)
        (drawn,), (legend,), cells = seen["drawn"], seen["legends"], json.loads(call(*arguments, "--json")[1])
        self.assertEqual([legend[0], legend[-1]], ["pipelined_binary_tree", "lower bound"])
        self.assertEqual(len(seen["rows"][0]), sum(len(cell["algorithms"]) for cell in cells))
        curves = {one["name"]: one for one in drawn["shapes"]}
        self.assertEqual(list(curves), legend)
        tops = [curves[name]["top"] for name in legend]
        self.assertEqual(tops, sorted(tops))
        self.assertLess(tops[0], tops[-1] - 10)
        self.assertLessEqual({"32 KiB", "10 µs", "100 µs"}, {*drawn["texts"]})
        self.assert_inside(drawn)

    def assert_inside(self, drawn):
        self.assertGreater(len(drawn["shapes"]), 2)
        for shape in drawn["shapes"]:
            for side, order in (("left", 1), ("top", 1), ("right", -1), ("bottom", -1)):
                self.assertGreaterEqual(order * (shape[side] - drawn["box"][side]), -0.5, shape)

    def test_without_calls(self):
        seen = self.seen(report(rows=[]))
        (job_,), = seen["rows"]
        self.assertEqual((job_[-1], seen["bars"], seen["heading"]), (report()["jobs"][0]["command"], [], "a <b>"))
