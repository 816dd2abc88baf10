#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns the benchmark programs' JSON into tables (Markdown) and plots (SVG and PNG).

    bench/report.py [FILE.json...] [--markdown FILE] [--plots DIR] [--join FILE.json] [--readme]

Without files it takes the newest in bench/results; without an option it prints the tables, with
--readme the one of README.md, which tests/meta/readme_figures_test.py compares.
Plots need matplotlib.
"""
import argparse
import json
import math
import pathlib
import re
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
PARITY = 0.97  # below this, a case counts as slower than its peer; the rest is noise

TYPES = ["u8", "u16", "u32", "float", "u64", "double", "u128",
         "record16", "record32", "record64", "record128", "u32_u32", "u64_u64"]
COMPARATORS = ["less", "opaque", "by_product", "order_by"]
DISTRIBUTIONS = ["uniform", "gaussian", "bucket", "staggered", "g_group",
                 "deterministic_duplicates", "randomized_duplicates", "sorted", "reverse",
                 "almost_sorted", "all_equal", "few_distinct", "organ_pipe", "one_long_run",
                 "geometric_runs"]
LABELS = {"cub_radix": "CUB radix sort", "cub_merge": "CUB merge sort", "thrust": "Thrust",
          "deterministic_duplicates": "det. duplicates", "randomized_duplicates": "rand. duplicates",
          "u32_u32": "u32 + u32", "u64_u64": "u64 + u64"}


# Operations that differ in a number only are one family: merge_by_blocks_of_32, ..._64.
NUMBERED = re.compile(r"^(.*_)(\d+)(|_.*)$")


def family_of(operation):
    """(name of the family, number), or None."""
    found = NUMBERED.match(operation)
    return (found[1] + "N" + found[3], int(found[2])) if found else None


def label(name):
    if name.startswith("record"):
        return name[len("record"):] + " B struct"
    return LABELS.get(name, name.replace("_", " "))


def place_in(order, name):
    return (order.index(name), "") if name in order else (len(order), name)


class Results:
    """Times in seconds by (operation, type, comparator), (distribution, log2 n), implementation."""

    def __init__(self):
        self.paths = []
        self.contexts = []
        self.entries = []  # as in the JSON
        self.groups = {}
        self.scratch = {}  # the same keys, for gpusort: (bytes, bytes of the input)
        self.of_copy = {}  # and a copy's time over gpusort's
        self.failures = []

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        self.paths.append(pathlib.Path(path))
        self.contexts.append(data["context"])
        for entry in data["benchmarks"]:
            parts = entry["name"].split("/")[:6]
            if len(parts) < 6 or not parts[5].isdigit():
                continue
            self.entries.append(entry)
            operation, implementation, kind, comparator, distribution, log2n = parts
            if entry.get("error_occurred"):
                self.failures.append(("/".join(parts), entry.get("error_message", "")))
                continue
            scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}[entry["time_unit"]]
            group, where = (operation, kind, comparator), (distribution, int(log2n))
            times = self.groups.setdefault(group, {}).setdefault(where, {})
            times[implementation] = scale * entry["real_time"]
            if implementation == "gpusort" and "scratch_bytes" in entry:
                size = entry["bytes_per_second"] * times[implementation]
                self.scratch[group, where] = (entry["scratch_bytes"], size)
            if implementation == "gpusort" and "fraction_of_copy" in entry:
                self.of_copy[group, where] = entry["fraction_of_copy"]

    def time(self, group, where, implementation):
        return self.groups.get(group, {}).get(where, {}).get(implementation, math.nan)

    def ratio(self, group, where):
        # Thrust cannot see through an order_by: its sort of the same records with a functor counts.
        reference = (group[0], group[1], "opaque") if group[2] == "order_by" else group
        return self.time(reference, where, "thrust") / self.time(group, where, "gpusort")

    def ratios(self, operation=None):
        """(ratio, group, where) of all cases that have both sides, the worst first."""
        found = [(self.ratio(group, where), group, where)
                 for group, cases in self.groups.items() for where in cases
                 if operation in (None, group[0])]
        return sorted(r for r in found if not math.isnan(r[0]))

    def slower(self):
        """(peer's time over gpusort's, peer, group, where) of cases below PARITY, the worst first."""
        found = [(t / times["gpusort"], who, group, where)
                 for group, cases in self.groups.items() for where, times in cases.items()
                 for who, t in times.items()
                 if "gpusort" in times and (who == "thrust" or who.startswith("cub"))]
        return sorted(f for f in found if f[0] < PARITY)

    def operations(self):
        return list(dict.fromkeys(group[0] for group in self.groups))

    def families(self):
        """The numbers of each family."""
        found = {}
        for name, number in filter(None, map(family_of, self.operations())):
            found.setdefault(name, set()).add(number)
        return {name: sorted(numbers) for name, numbers in found.items()}

    def sorted_groups(self, operation):
        return sorted((g for g in self.groups if g[0] == operation),
                      key=lambda g: (place_in(TYPES, g[1]), place_in(COMPARATORS, g[2])))

    def sizes(self, operation, several_distributions=False):
        sizes = {}
        for group in self.sorted_groups(operation):
            for distribution, log2n in self.groups[group]:
                sizes.setdefault(log2n, set()).add(distribution)
        return sorted(n for n, d in sizes.items() if not several_distributions or len(d) > 1)

    def machine(self):
        context = self.contexts[0]
        parts = [context.get("device", "unknown device")]
        if "cuda_runtime" in context:
            parts.append("CUDA " + context["cuda_runtime"])
        if "cub" in context:
            parts.append("Thrust and CUB " + context["cub"])
        if "date" in context:
            parts.append(context["date"][:10])
        return ", ".join(parts)


def digits(value):
    """Three digits, or all that stand before the point."""
    if math.isnan(value):
        return "-"
    decimals = 3 if value < 0.0995 else 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{decimals}f}"


def row(cells):
    return "| " + " | ".join(cells) + " |"


def table(header, rows):
    return [row(header), row(["---"] * min(2, len(header)) + ["--:"] * (len(header) - 2)),
            *(row(r) for r in rows), ""]


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def case(group, where):
    return "/".join([*group, where[0], str(where[1])])


def summary(results, operation=None):
    found = results.ratios(operation)
    if not found:
        return "No case has both sides."
    worst = found[0]
    return (f"{len(found)} cases: geometric mean {digits(geometric_mean([r[0] for r in found]))}, "
            f"worst {digits(worst[0])} ({case(worst[1], worst[2])}).")


def throughput_table(results, operation, groups):
    """For an operation without Thrust: every implementation by n."""
    sizes = results.sizes(operation)
    rows = []
    for g in groups:
        who_is_there = dict.fromkeys(who for times in results.groups[g].values() for who in times)
        rows += [[f"{label(g[1])}, {g[2]}", label(who),
                  *(digits(1e-9 * 2.0 ** n / results.time(g, ("uniform", n), who)) for n in sizes)]
                 for who in who_is_there]
    return ["Uniform keys, billions of keys a second by n:", "",
            *table(["type", "implementation", *(f"2^{n}" for n in sizes)], rows)]


def family_table(results, family, numbers):
    """Rates by the family's number, and ratios where Thrust is there too."""
    columns = [family.replace("N", str(number)) for number in numbers]
    kinds = sorted({g[1:] for g in results.groups if g[0] in columns},
                   key=lambda k: (place_in(TYPES, k[0]), place_in(COMPARATORS, k[1])))
    rows = []
    for kind, comparator in kinds:
        groups = [(column, kind, comparator) for column in columns]
        cases = [results.groups.get(g, {}) for g in groups]
        places = sorted({where for c in cases for where in c},
                        key=lambda where: (place_in(DISTRIBUTIONS, where[0]), where[1]))
        for where in places:
            what = f"{label(kind)}, {comparator}, {label(where[0])}, 2^{where[1]}"
            rows += [[what, label(who), *(digits(1e-9 * 2.0 ** where[1] / results.time(g, where, who))
                                          for g in groups)]
                     for who in dict.fromkeys(who for c in cases for who in c.get(where, {}))]
            ratios = [results.ratio(g, where) for g in groups]
            if not all(map(math.isnan, ratios)):
                rows.append([what, "**ratio**", *map(digits, ratios)])
    return ["Billions of keys a second by N:", "",
            *table(["input", "implementation", *map(str, numbers)], rows)]


def markdown(results):
    lines = ["<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->", "# Figures", "",
             f"Made by bench/report.py from {', '.join(p.name for p in results.paths)}. "
             "bench/README.md says what is measured.", "",
             f"Measured on {results.machine()}. Ratios are Thrust's time over gpusort's: above 1, "
             "gpusort is faster.", "", summary(results), ""]
    slower = results.slower()
    lines += ["## Slower than a peer", "",
              f"Cases below {PARITY}: {len(slower)}. CUB has its scratch at hand, gpusort "
              "allocates.", ""]
    if slower:
        lines += table(["case", "peer", "ratio"],
                       [[case(g, w), label(who), digits(r)] for r, who, g, w in slower])
    for family, numbers in results.families().items():
        lines += [f"## {family}", "", *family_table(results, family, numbers)]
    for operation in results.operations():
        if family_of(operation):
            continue
        groups = results.sorted_groups(operation)
        lines += [f"## {operation}", ""]
        if not results.ratios(operation):
            lines += throughput_table(results, operation, groups)
            continue
        if len(results.operations()) > 1:
            lines += [summary(results, operation), ""]

        sizes = [n for n in results.sizes(operation)
                 if any(("uniform", n) in results.groups[g] for g in groups)]
        lines += ["Uniform keys, ratio by n:", ""]
        lines += table(["type", "comparator", *(f"2^{n}" for n in sizes)],
                       [[label(g[1]), g[2], *(digits(results.ratio(g, ("uniform", n)))
                                              for n in sizes)] for g in groups])

        rows = []
        for g in groups:
            where = max((w for w in results.groups[g] if w[0] == "uniform"
                         and not math.isnan(results.time(g, w, "gpusort"))),
                        key=lambda w: w[1], default=None)
            if where is None:
                continue
            keys = 2.0 ** where[1]
            reference = (g[0], g[1], "opaque") if g[2] == "order_by" else g
            cub = min((t for who, t in results.groups[g][where].items() if who.startswith("cub")),
                      default=math.nan)
            scratch = results.scratch.get((g, where))
            rows.append([label(g[1]), g[2], f"2^{where[1]}",
                         *(digits(1e-9 * keys / t)
                           for t in (results.time(g, where, "gpusort"),
                                     results.time(reference, where, "thrust"), cub)),
                         digits(results.ratio(g, where)),
                         f"{scratch[0] / scratch[1]:.2f}" if scratch else
                         digits(results.of_copy.get((g, where), math.nan))])
        merges = any(g in groups for g, _ in results.of_copy)
        last = "the part of a copy's bandwidth" if merges else "scratch in sizes of the input"
        lines += [f"Uniform keys, largest n, in billions of keys a second; {last}:", ""]
        lines += table(["type", "comparator", "n", "gpusort", "Thrust", "CUB", "ratio",
                        "of copy" if merges else "scratch"], rows)

        for n in results.sizes(operation, several_distributions=True):
            here = [g for g in groups if len([w for w in results.groups[g] if w[1] == n]) > 1]
            found = [d for d in DISTRIBUTIONS if any((d, n) in results.groups[g] for g in here)]
            if not here or len(found) < 2:
                continue
            lines += [f"n = 2^{n}, ratio by distribution:", ""]
            lines += table(["type", "comparator", *(label(d) for d in found)],
                           [[label(g[1]), g[2], *(digits(results.ratio(g, (d, n))) for d in found)]
                            for g in here])

    if results.failures:
        lines += ["", f"Failed: {len(results.failures)}.", ""]
        lines += [f"- {name}: {message}" for name, message in results.failures]
    return "\n".join(lines).rstrip() + "\n"


# (row of README.md's table, group, distribution and log2 n)
README_ROWS = [
    ("`uint32_t`, a comparator that orders as `<` does, 2^28", "sort/u32/opaque/uniform/28"),
    ("`uint64_t`, such a comparator, 2^28", "sort/u64/opaque/uniform/28"),
    ("`uint64_t`, a comparator of another order, 2^28", "sort/u64/by_product/uniform/28"),
    ("64-byte struct, a comparator of one member, 2^26", "sort/record64/opaque/uniform/26"),
    ("`uint32_t`, `less`, 2^28", "sort/u32/less/uniform/28"),
    ("`uint32_t`, a comparator, 2^14", "sort/u32/opaque/uniform/14"),
    ("`stable_sort` of `uint64_t`, a comparator, 2^28", "stable_sort/u64/opaque/uniform/28"),
    ("`multiway_merge` of 16 runs of `uint32_t`, 2^28; Thrust: rounds of `merge`",
     "multiway_merge_of_16/u32/less/uniform/28"),
]


def readme(results):
    """The table of speeds in README.md."""
    def duration(seconds):
        return f"{digits(1e3 * seconds)} ms" if seconds >= 1e-3 else f"{digits(1e6 * seconds)} us"

    lines = ["| | gpusort | Thrust | ratio |", "|---|--:|--:|--:|"]
    for text, name in README_ROWS:
        operation, kind, comparator, distribution, log2n = name.split("/")
        group, where = (operation, kind, comparator), (distribution, int(log2n))
        lines.append(row([text, *(duration(results.time(group, where, who))
                                  for who in ("gpusort", "thrust")),
                          digits(results.ratio(group, where))]))
    return "\n".join(lines) + "\n"


# -- joining ---------------------------------------------------------------------------------------

CONTEXT_KEPT = ["date", "commit", "matrix", "device", "compute_capability", "driver_supports_cuda",
                "cuda_runtime", "cub", "gpusort"]
ENTRY_KEPT = ["name", "label", "error_occurred", "error_message", "real_time", "time_unit",
              "keys_per_second", "bytes_per_second", "fastest_us", "slowest_us", "device_us",
              "samples", "passes", "scratch_bytes", "fraction_of_copy"]


def kept(source, names):
    def short(value):
        return float(f"{value:.6g}") if isinstance(value, float) else value
    return {name: short(source[name]) for name in names if name in source}


def join(results, path):
    """One entry a line, without what only describes the machine that ran the host side."""
    for context in results.contexts[1:]:
        if context.get("device") != results.contexts[0].get("device"):
            sys.exit("report.py: these files come from different devices")
    context = json.dumps(kept(results.contexts[0], CONTEXT_KEPT), indent=2).replace("\n", "\n  ")
    entries = ",\n".join("    " + json.dumps(kept(e, ENTRY_KEPT)) for e in results.entries)
    path.write_text(f'{{\n  "context": {context},\n  "benchmarks": [\n{entries}\n  ]\n}}\n',
                    encoding="utf-8")


# -- plots -----------------------------------------------------------------------------------------

STYLE = {  # colours told apart by the colour-blind, and by lightness
    "gpusort": dict(color="#0b5fa5", marker="o", linewidth=2.2, markersize=4.5, zorder=4),
    "thrust": dict(color="#d95f02", marker="s", linewidth=1.5, markersize=3.8, zorder=3),
    "cub_radix": dict(color="#8a8a8a", marker="^", linewidth=1.3, markersize=4, zorder=2),
    "cub_merge": dict(color="#8a8a8a", marker="v", linewidth=1.3, markersize=4, zorder=2),
}
STYLE.update({name: dict(color=color, marker=".", linewidth=1.3, zorder=5) for name, color in [
    ("small_sort", "#cc79a7"), ("radix_sort", "#222222"), ("sample_sort", "#009e73"),
    ("merge_sort", "#e69f00"), ("bitonic_sort", "#d55e00"), ("thrust_sort", "#e69f00"),
    ("paper_bitonic", "#009e73"), ("paper_ranking", "#cc79a7"), ("sequential", "#009e73"),
    ("quick", "#cc79a7"), ("gpusort_in_place", "#4fa3e0"), ("gpusort_on_arrays", "#8a8a8a"),
    ("gpusort_stable", "#4fa3e0"), ("paper_network", "#d95f02"), ("cub", "#8a8a8a")]})
ORDER_BY = dict(color="#4fa3e0", marker="D", linewidth=1.8, markersize=4, zorder=4)


def save(figure, directory, name):
    for kind, options in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 150})):
        path = directory / f"{name}.{kind}"
        figure.savefig(path, bbox_inches="tight", facecolor="white", **options)
        print(path)


def throughput_panel(axes, results, panel):
    """`panel`: groups that share one plot; order_by beside the functor it stands for."""
    for group in panel:
        cases = results.groups[group]
        who_is_there = dict.fromkeys(who for times in cases.values() for who in times)
        for who in sorted(who_is_there, key=lambda w: place_in(list(STYLE), w)):
            points = sorted((n, 1e-9 * 2.0 ** n / times[who])
                            for (d, n), times in cases.items() if d == "uniform" and who in times)
            by_member = group[2] == "order_by"
            axes.plot(*zip(*points), label="gpusort, order_by" if by_member else label(who),
                      **(ORDER_BY if by_member else STYLE.get(who, {})))
    axes.set_yscale("log")
    axes.set_xticks(range(10, 29, 6))
    axes.set_xlim(9.4, 28.6)
    by = {"less": ", less", "opaque": ", comparator"}.get(panel[0][2], "") if len(panel) == 1 else ""
    axes.set_title(label(panel[0][1]) + by, fontsize=10)
    axes.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def throughput_figure(plt, results, title, panels, directory, name):
    columns = len(panels[0])
    figure, axes = plt.subplots(len(panels), columns, squeeze=False, sharex=True, sharey=True,
                                figsize=(2.6 * columns + 0.6, 2.5 * len(panels) + 0.6))
    handles = {}
    for line, axes_of_line in zip(panels, axes):
        for panel, one in zip(line, axes_of_line):
            if not panel:
                one.set_visible(False)
                continue
            throughput_panel(one, results, panel)
            handles.update(zip(*reversed(one.get_legend_handles_labels())))
    figure.supxlabel("log2 of the number of elements, uniform keys", fontsize=10)
    figure.supylabel("billions of elements a second", fontsize=10, x=0.0)
    figure.suptitle(f"{title}\n{results.machine()}", fontsize=11)
    figure.tight_layout()
    names = sorted(handles, key=lambda name: place_in([label(who) for who in STYLE], name))
    figure.legend([handles[name] for name in names], names, loc="upper center", ncols=len(names),
                  frameon=False, fontsize=9, bbox_to_anchor=(0.5, 0.0))
    save(figure, directory, name)
    plt.close(figure)


def plot_throughput(plt, results, operation, directory):
    groups = [g for g in results.sorted_groups(operation)
              if any(d == "uniform" for d, _ in results.groups[g])]
    simple = [g for g in groups if not g[1].startswith("record")]
    comparators = sorted({g[2] for g in simple}, key=lambda c: place_in(COMPARATORS, c))
    types = list(dict.fromkeys(g[1] for g in simple))
    # What few types are measured with is left to the tables.
    comparators = [c for c in comparators if 2 * sum(g[2] == c for g in simple) > len(types)]
    if simple:
        panels = [[[(operation, t, c)] if (operation, t, c) in simple else [] for t in types]
                  for c in comparators]
        throughput_figure(plt, results, f"{operation}: throughput", panels, directory,
                          f"throughput_{operation}")
    records = [t for t in dict.fromkeys(g[1] for g in groups) if t.startswith("record")]
    if records:
        panels = [[[g for g in groups if g[1] == t] for t in records]]
        throughput_figure(plt, results, f"{operation}: throughput, structs with a 32-bit key",
                          panels, directory, f"throughput_{operation}_records")


def plot_family(plt, results, family, numbers, directory):
    """The rates of uniform keys by the family's number, for the largest input that all have."""
    columns = [family.replace("N", str(number)) for number in numbers]
    kinds = sorted({g[1:] for g in results.groups if g[0] in columns},
                   key=lambda k: (place_in(TYPES, k[0]), place_in(COMPARATORS, k[1])))
    figure, axes = plt.subplots(1, len(kinds), squeeze=False, sharey=True,
                                figsize=(3.2 * len(kinds) + 0.6, 3.1))
    for one, kind in zip(axes[0], kinds):
        cases = {n: results.groups.get((c, *kind), {}) for n, c in zip(numbers, columns)}
        cases = {n: c for n, c in cases.items() if c}
        sizes = set.intersection(*({w[1] for w in c if w[0] == "uniform"} for c in cases.values()))
        if not sizes:
            continue
        where = ("uniform", max(sizes))
        who_is_there = dict.fromkeys(who for c in cases.values() for who in c[where])
        for who in sorted(who_is_there, key=lambda w: place_in(list(STYLE), w)):
            points = [(n, 1e-9 * 2.0 ** where[1] / c[where][who])
                      for n, c in cases.items() if who in c[where]]
            style = STYLE.get(who, dict(marker=".", linewidth=1.3))
            one.plot(*zip(*points), label=label(who), **style)
        one.set_xscale("log", base=2)
        one.set_xticks(numbers, list(map(str, numbers)))
        one.xaxis.set_minor_locator(plt.NullLocator())
        one.set_yscale("log")
        one.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
        one.yaxis.set_minor_formatter(lambda y, _: f"{y:g}" if f"{y:e}"[0] in "25" else "")
        one.set_title(f"{label(kind[0])}, {kind[1]}, $2^{{{where[1]}}}$", fontsize=10)
        one.grid(True, which="major", color="#dddddd", linewidth=0.6)
        one.legend(frameon=False, fontsize=8)
    figure.supxlabel("N", fontsize=10)
    figure.supylabel("billions of elements a second", fontsize=10, x=0.0)
    figure.suptitle(f"{family}\n{results.machine()}", fontsize=11)
    figure.tight_layout()
    save(figure, directory, f"by_number_{family}")
    plt.close(figure)


def plot_ratios(plt, results, operation, n, directory):
    from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

    groups = [g for g in results.sorted_groups(operation)
              if sum(1 for w in results.groups[g] if w[1] == n) > 1]
    found = [d for d in DISTRIBUTIONS if any((d, n) in results.groups[g] for g in groups)]
    if not groups or len(found) < 2:
        return
    ratios = [[results.ratio(g, (d, n)) for g in groups] for d in found]
    shades = LinearSegmentedColormap.from_list(
        "ratio", [(0, "#b2182b"), (0.35, "#f4a582"), (0.5, "#f7f7f7"), (0.62, "#92c5de"),
                  (0.8, "#4393c3"), (1, "#134b87")])
    shades.set_bad("#ffffff")
    norm = TwoSlopeNorm(vmin=-1, vcenter=0, vmax=math.log2(20))
    figure, axes = plt.subplots(figsize=(0.72 * len(groups) + 2.4, 0.36 * len(found) + 1.8))
    image = axes.imshow([[math.log2(r) if not math.isnan(r) else math.nan for r in line]
                         for line in ratios], cmap=shades, norm=norm, aspect="auto")
    for y, line in enumerate(ratios):
        for x, r in enumerate(line):
            if math.isnan(r):
                continue
            red, green, blue, _ = shades(norm(math.log2(r)))
            light = 0.3 * red + 0.59 * green + 0.11 * blue > 0.55
            axes.text(x, y, digits(r), ha="center", va="center", fontsize=8,
                      color="#111111" if light else "white",
                      fontweight="bold" if r < PARITY else "normal")
    axes.set_xticks(range(len(groups)), [f"{label(g[1])}\n{g[2]}" for g in groups], fontsize=8)
    axes.set_yticks(range(len(found)), [label(d) for d in found], fontsize=9)
    axes.set_xticks([x - 0.5 for x in range(1, len(groups))], minor=True)
    axes.set_yticks([y - 0.5 for y in range(1, len(found))], minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="both", length=0)
    for x in range(1, len(groups)):  # a wider gap where the type changes
        if groups[x][1] != groups[x - 1][1]:
            axes.axvline(x - 0.5, color="white", linewidth=5)
    axes.spines[:].set_visible(False)
    marks = [0.5, 0.71, 1, 2, 4, 8, 16]
    bar = figure.colorbar(image, ax=axes, ticks=[math.log2(m) for m in marks], pad=0.02,
                          extend="both")
    bar.ax.set_yticklabels([f"{m:g}" for m in marks], fontsize=8)
    bar.outline.set_visible(False)
    axes.set_title(f"{operation}, n = $2^{{{n}}}$: times faster than Thrust\n{results.machine()}",
                   fontsize=10)
    save(figure, directory, f"ratio_{operation}_{n}")
    plt.close(figure)


def plot(results, directory):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    matplotlib.rcParams["svg.hashsalt"] = "gpusort"  # the same results give the same files
    directory.mkdir(parents=True, exist_ok=True)
    for family, numbers in results.families().items():
        plot_family(plt, results, family, numbers, directory)
    for operation in results.operations():
        if family_of(operation):
            continue
        plot_throughput(plt, results, operation, directory)
        for n in results.sizes(operation, several_distributions=True):
            plot_ratios(plt, results, operation, n, directory)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE.json")
    parser.add_argument("--markdown", type=pathlib.Path, metavar="FILE", help="write the tables")
    parser.add_argument("--plots", type=pathlib.Path, metavar="DIR", help="draw the plots")
    parser.add_argument("--join", type=pathlib.Path, metavar="FILE.json",
                        help="write all results in one compact file")
    parser.add_argument("--readme", action="store_true", help="print the table of README.md")
    arguments = parser.parse_args()
    files = arguments.files or sorted(RESULTS.glob("*.json"))[-1:]
    if not files:
        parser.error(f"no file given, and none in {RESULTS}")
    results = Results()
    for path in files:
        results.read(path)
    if not results.entries:
        sys.exit("report.py: no benchmark in " + ", ".join(map(str, files)))

    if arguments.join:
        join(results, arguments.join)
        print(f"{arguments.join}: {summary(results)}")
    if arguments.markdown:
        arguments.markdown.write_text(markdown(results), encoding="utf-8")
    if arguments.plots:
        plot(results, arguments.plots)
    if arguments.readme:
        print(readme(results), end="")
    elif not (arguments.join or arguments.markdown or arguments.plots):
        print(markdown(results), end="")


if __name__ == "__main__":
    main()
