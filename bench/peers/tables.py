"""Tables of the page, made of the results of the cells: pure functions of a dictionary."""

from plan import QUALITY, SPEED

ARROW = "–"


def number(value):
    """Three digits that count."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def policies(results, kind):
    """package/policy of every cell of this kind, by package, phe first."""
    found = dict.fromkeys("/".join(cell.split("/")[2:]) for cell in results if cell.startswith(kind + "/"))
    return sorted(found, key=lambda key: (not key.startswith("phe/"), key.split("/")[0]))


def cell_text(result, key):
    """What a cell says: a number, a word, or that it was not run."""
    if result is None:
        return ARROW
    for word in ("skipped", "failed"):
        if word in result:
            return f"{word}: {result[word]}"
    return number(result[key]) if key in result else ARROW


def fastest_native(result):
    return min(result["us"].values()) if result and "us" in result else None


def speed_table(results, key="us"):
    """µs per decision and update; a row per policy."""
    names = [name for name in SPEED if any(cell.startswith(f"speed/{name}/") for cell in results)]
    lines = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for policy in policies(results, "speed"):
        if policy == "phe/C++":
            lines += native_rows(results, names) if key == "us" else []
            continue
        row = [cell_text(results.get(f"speed/{name}/{policy}"), key) for name in names]
        if any(text != ARROW for text in row):
            lines.append(f"| {policy} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def native_rows(results, names):
    """phe in C++: a row per policy."""
    def plain(spec):
        return spec.replace(",disjoint", "").replace(":disjoint", "")

    times = {name: {plain(s): us for s, us in (results.get(f"speed/{name}/phe/C++") or {}).get("us", {}).items()}
             for name in names}  # fmt: skip
    specs = dict.fromkeys(spec for of_name in times.values() for spec in of_name)
    return [f"| phe in C++, {spec} | "
            + " | ".join(number(times[name][spec]) if spec in times[name] else ARROW for name in names) + " |"
            for spec in specs]  # fmt: skip


def best(results, name):
    """µs of the fastest: phe in C++, phe from Python, a peer, and a peer that decides in a loop."""
    def us(cell):
        return (results.get(cell) or {}).get("us")

    cells = [c for c in results if c.startswith(f"speed/{name}/")]
    native = fastest_native(results.get(f"speed/{name}/phe/C++"))
    python = min((us(c) for c in cells if "/phe/" in c and "C++" not in c and us(c)), default=None)
    peers = [(us(c), "/".join(c.split("/")[2:])) for c in cells if "/phe/" not in c and us(c)]
    loops = [peer for peer in peers if "driver" not in peer[1]]
    return native, python, min(peers, default=None), min(loops, default=None)


def ratio_table(results):
    """How many times faster than the fastest peer."""
    lines = ["| | fastest peer | µs | phe in C++ | fastest peer in a loop | µs | phe from Python's loop |", "|---" * 7 + "|"]
    for name in SPEED:
        native, python, peer, loop = best(results, name)
        if loop is None or python is None:
            continue
        faster = number(peer[0] / native) + " ×" if native else ARROW
        lines.append(f"| {name} | {peer[1]} | {number(peer[0])} | {faster} "
                     f"| {loop[1]} | {number(loop[0])} | {number(loop[0] / python)} × |")  # fmt: skip
    return "\n".join(lines)


def percent_or_regret(name, value):
    if name in ("linear", "contexts"):
        return f"{value['mean']:.1f} ± {value['se']:.1f}"
    return f"{100 * value['mean']:.1f} ± {100 * value['se']:.1f}"


def quality_table(results, which):
    """Regret, or accuracy in per cent; the best of each column is bold."""
    names = [name for name in QUALITY if any(cell.startswith(f"quality/{name}/") for cell in results)]
    top = {name: winner(results, name, which) for name in names}
    lines = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for policy in policies(results, "quality"):
        row = []
        for name in names:
            result = results.get(f"quality/{name}/{policy}")
            if result is None or which not in result:
                row.append(cell_text(result, which))
                continue
            text = percent_or_regret(name, result[which])
            row.append(f"**{text}**" if top[name] == policy else text)
        lines.append(f"| {policy} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def ranked(results, name, which):
    """(value to be small, standard error, policy), the best first."""
    sign = 1 if name in ("linear", "contexts") else -1
    found = [(sign * r[which]["mean"], r[which]["se"], "/".join(cell.split("/")[2:]))
             for cell, r in results.items() if cell.startswith(f"quality/{name}/") and which in r]  # fmt: skip
    return sorted(found)


def winner(results, name, which):
    order = ranked(results, name, which)
    return order[0][2] if order else None


def quality_goals(results, plan):
    """By row: is phe the best when tuned, or within one standard error of the best, of what was run of the plan?"""
    lines = []
    for name in QUALITY:
        order = ranked(results, name, "tuned")
        ours = next((place for place in order if place[2].startswith("phe/")), None)
        peer = next((place for place in order if not place[2].startswith("phe/")), None)
        if ours is None or peer is None:
            continue
        distance = ours[0] - peer[0]
        error = max(ours[1], peer[1])
        run, planned = (sum(cell.startswith(f"quality/{name}/") and "/phe/" not in cell for cell in cells)
                        for cells in (results, plan))  # fmt: skip
        verdict = "best" if distance <= 0 else "within 1 SE of the best" if distance <= error else "**missed**"
        scope = "" if run == planned else f", **not decided**: {run} of {planned} policies of peers were run"
        lines.append((distance > 0 or run < planned,
                      f"- {name}: {verdict} ({ours[2]}; the best peer is {peer[2]}){scope}"))  # fmt: skip
    return lines
