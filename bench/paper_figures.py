#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins the rows of bench/papers/run, draws them, and puts figures and tables into the pages of
docs/papers: between a line `<!-- measured: FIGURE -->` and `<!-- end -->`. A line
`<!-- measured: FIGURE over NAME -->` has speed-ups over NAME in its table.

    bench/paper_figures.py --join FILE.json PAPER.PROGRAM.json...
    bench/paper_figures.py --pages docs/papers FILE.json

A row is paper, figure, input, name, n and a measured value: ms, or instructions (an element, of a
thread, counted by ncu). Plots need matplotlib.
"""
import argparse
import collections
import csv
import json
import math
import pathlib
import re
import subprocess

COLOURS = ["#0b5fa5", "#d95f02", "#009e73", "#cc79a7", "#4fa3e0", "#8a8a8a", "#b07aa1", "#e6ab02"]
MARKERS = "osD^vP<>"
POWER = re.compile(r"[ /,]*\b2\^\d+\b[ /,]*")
KERNEL = re.compile(r"block_wise_merge_kernel<.*?\b(skeleton|\w+_merge)\b")
COUNTED = 2 ** 20  # keys that measure_sample_sort merges for figure 11
UNITS = {"ms": "milliseconds", "instructions": "instructions an element"}
BLOCK = re.compile(r"(<!-- measured: (\w+)(?: over (\w+))? -->\n).*?(<!-- end -->)", re.S)


def rows_of_benchmark(results):
    """Names of Google Benchmark's are operation/who/type/comparator/distribution/log2n."""
    for entry in results["benchmarks"]:
        operation, who, kind, comparator, distribution, log2n = entry["name"].split("/")[:6]
        if "real_time" in entry and not entry.get("error_occurred"):
            yield {"figure": f"{operation}_{kind}_{comparator}", "input": distribution, "name": who,
                   "n": 2 ** int(log2n), "ms": 1e-3 * entry["real_time"]}


def rows_of_records(results):
    for time in results["times"]:
        if not time["fault"]:
            yield {"figure": time["layout"], "input": f"{time['fields']} fields",
                   "name": time["algorithm"], "n": results["context"]["n"],
                   "ms": 1e-3 * time["median_us"]}


def rows_of_counters(text):
    """Instructions of blocks that merge, less those of blocks that do all but merge, which come first.
    ncu writes lines of its own before its table."""
    table = text[text.index('"ID"'):]
    skeletons = {}
    for launch in csv.DictReader(table.splitlines()):
        method = KERNEL.search(launch["Kernel Name"])[1]
        threads = launch["Block Size"].strip("(").split(",")[0]
        count = float(launch["Metric Value"].replace(",", "")) / COUNTED
        if method == "skeleton":
            skeletons[threads] = count
            continue
        yield {"figure": "figure_11", "input": f"{threads} threads", "name": method, "n": COUNTED,
               "instructions": round(count - skeletons[threads], 1)}


def rows_of(path):
    """The rows that a program, or ncu, has written, in one of four ways. Of a program that was stopped
    they are those of whole lines, or none."""
    text = path.read_text(encoding="utf-8")
    try:
        if path.suffix == ".csv":
            return list(rows_of_counters(text))
        if not text.startswith("{\n"):
            return [json.loads(line) for line in text.splitlines(keepends=True)
                    if line.endswith("}\n")]
        results = json.loads(text)
        return list(rows_of_records(results) if "times" in results else rows_of_benchmark(results))
    except (KeyError, TypeError, ValueError) as error:
        print(f"{path.name}: left out: {error!r}")
        return []


def machine():
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        found = subprocess.run(query, stdout=subprocess.PIPE, text=True, check=True)
        return found.stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def join(paths, target):
    rows = [{"paper": path.name.split(".")[0], **row} for path in paths for row in rows_of(path)]
    lines = ",\n".join(json.dumps(row) for row in rows)
    target.write_text(f'{{"machine": {json.dumps(machine())}, "rows": [\n{lines}\n]}}\n',
                      encoding="utf-8")
    print(f"{target}: {len(rows)} rows")


def unit_of(rows):
    return next(unit for unit in UNITS if unit in rows[0])


def panels_of(rows):
    """{input without the size: {name: {n: value}}}, in the order of the rows."""
    unit = unit_of(rows)
    panels = collections.OrderedDict()
    for row in rows:
        panel = panels.setdefault(POWER.sub(" ", row["input"]).strip(), collections.OrderedDict())
        panel.setdefault(row["name"], {})[row["n"]] = row[unit]
    return panels


def style_axes(axes, title):
    axes.set_title(title, fontsize=10)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    axes.tick_params(labelsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw_lines(plt, panels, names):
    """A panel for each input: millions of elements a second by the number of elements."""
    columns = min(3, len(panels))
    lines = math.ceil(len(panels) / columns)
    figure, all_axes = plt.subplots(lines, columns, squeeze=False, sharex=True, sharey=True,
                                    figsize=(3.4 * columns + 0.6, 2.8 * lines + 0.8))
    for axes in all_axes.flat[len(panels):]:
        axes.set_visible(False)
    for axes, (title, curves) in zip(all_axes.flat, panels.items()):
        for name, times in curves.items():
            style = names.index(name)
            points = [(math.log2(n), 1e-3 * n / ms) for n, ms in sorted(times.items())]
            axes.plot(*zip(*points), label=name, color=COLOURS[style % len(COLOURS)], linewidth=1.6,
                      marker=MARKERS[style % len(MARKERS)], markersize=4,
                      linestyle="-" if style < len(COLOURS) else "--")
        style_axes(axes, title)
    figure.supxlabel("log2 of the number of elements", fontsize=10)
    figure.supylabel("millions of elements a second", fontsize=10)
    return figure


def draw_bars(plt, panels, names, unit):
    """A group of bars for each input, where each has one size."""
    figure, axes = plt.subplots(figsize=(max(5.0, 0.18 * len(panels) * len(names) + 1.5), 3.6))
    width = 0.8 / len(names)
    for i, name in enumerate(names):
        there = [(at, min(curves[name].values())) for at, curves in enumerate(panels.values())
                 if name in curves]
        axes.bar([at + i * width for at, _ in there], [value for _, value in there], width, label=name,
                 color=COLOURS[i % len(COLOURS)])
    style_axes(axes, "")
    axes.set_xticks([at + 0.4 for at in range(len(panels))], list(panels), rotation=30, ha="right")
    axes.set_ylabel(UNITS[unit], fontsize=10)
    return figure


def has_sizes(panels):
    return any(len(times) > 1 for curves in panels.values() for times in curves.values())


def draw(plt, title, panels, unit, path):
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    figure = (draw_lines(plt, panels, names) if has_sizes(panels)
              else draw_bars(plt, panels, names, unit))
    handles = {}
    for axes in figure.axes:
        handles.update(zip(*reversed(axes.get_legend_handles_labels())))
    figure.suptitle(title, fontsize=10)
    figure.tight_layout()
    figure.legend(handles.values(), handles.keys(), loc="upper center", fontsize=8,
                  bbox_to_anchor=(0.5, 0.0), ncols=min(4, len(handles)), frameon=False)
    figure.savefig(path, bbox_inches="tight", facecolor="white", metadata={"Date": None})
    plt.close(figure)


def lines_of(panels):
    """(title, n, {name: value}): for each size where there is one panel, otherwise for each panel, of
    the greatest size that a name was measured at."""
    if len(panels) == 1:
        (title, curves), = panels.items()
        for n in sorted({n for times in curves.values() for n in times}):
            yield title, n, {name: times[n] for name, times in curves.items() if n in times}
        return
    for title, curves in panels.items():
        yield (title, max(n for times in curves.values() for n in times),
               {name: times[max(times)] for name, times in curves.items()})


def shown(value):
    """Three digits, or all before the point."""
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def table(panels, base):
    """The values, or the speed-ups over those of `base`."""
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    lines = ["| input | n | " + " | ".join(names) + " |", "|---|--:|" + "--:|" * len(names)]
    for title, n, values in lines_of(panels):
        if base in values:
            values = {name: value if name == base else values[base] / value
                      for name, value in values.items()}
        lines.append(f"| {title} | {n} | "
                     + " | ".join(shown(values[name]) if name in values else "-" for name in names)
                     + " |")
    return "\n".join(lines)


def write_pages(results, directory):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figures = collections.OrderedDict()
    for row in results["rows"]:
        figures.setdefault((row["paper"], row["figure"]), []).append(row)
    plots = directory / "plots"
    plots.mkdir(exist_ok=True)
    for page in sorted(directory.glob("0*.md")):
        paper = page.stem

        def block(found):
            rows = figures.get((paper, found[2]))
            if not rows:
                print(f"{page}: nothing was measured for {found[2]}")
                return found[0]
            panels, unit = panels_of(rows), unit_of(rows)
            over = f", and speed-ups over {found[3]}" if found[3] else ""
            plot = plots / f"{paper}_{found[2]}.svg"
            draw(pyplot, results["machine"], panels, unit, plot)
            return (f"{found[1]}![{found[2].replace('_', ' ')}](plots/{plot.name})\n\n"
                    f"{results['machine']}, {UNITS[unit]}{over}:\n\n"
                    f"{table(panels, found[3])}\n{found[4]}")

        page.write_text(BLOCK.sub(block, page.read_text(encoding="utf-8")), encoding="utf-8")
        print(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE.json")
    parser.add_argument("--join", type=pathlib.Path, metavar="FILE.json")
    parser.add_argument("--pages", type=pathlib.Path, metavar="DIR")
    arguments = parser.parse_args()
    if arguments.join:
        join(arguments.files, arguments.join)
    if arguments.pages:
        write_pages(json.loads(arguments.files[0].read_text(encoding="utf-8")), arguments.pages)


if __name__ == "__main__":
    main()
