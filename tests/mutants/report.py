"""What was found, as a page."""

GOALS = {"seeded": 1.0, "generated": 0.9}  # shares to be caught


def shown(mutant):
    """The lines that change, one above the other."""
    pairs = [(old.split("\n")[-1].strip(), new.split("\n")[-1].strip()) for old, new in mutant.changes]
    return "".join(f"    - {old}\n    + {new}\n" for old, new in pairs)


def listed(title, mutants, note=lambda mutant: ""):
    if not mutants:
        return ""
    return f"\n## {title}\n\n" + "".join(f"`{m.name}` in `{m.file}`{note(m)}\n\n{shown(m)}\n" for m in mutants)


def page(mutants, results, equivalent):
    """The page, its table alone, and whether the goals are met."""
    table = ("| kind | tried | caught | seen by pinned draws alone | survived | equivalent | share caught |\n"
             "|---|---|---|---|---|---|---|\n")
    lists, fine = "", True
    for kind, goal in GOALS.items():
        by_verdict = {"caught": [], "pinned": [], "survived": [], "does not build": [], "unseen": []}
        for mutant in mutants:
            if mutant.generated == (kind == "generated") and mutant.name in results:
                by_verdict[results[mutant.name]["verdict"]].append(mutant)
        caught, pinned, survived, broken, unseen = by_verdict.values()
        same = [m for m in survived if m.name in equivalent]
        alive = [m for m in survived if m.name not in equivalent]
        differ = len(caught) + len(pinned) + len(alive)
        share = (len(caught) + len(pinned)) / max(1, differ)
        table += (f"| {kind} | {differ + len(same)} | {len(caught)} | {len(pinned)} | {len(alive)} | {len(same)} "
                  f"| {100 * share:.1f} % |\n")
        lists += listed(f"Survived, {kind}", alive)
        lists += listed(f"Not seen by the tests of the same folder, {kind}", unseen)
        lists += listed(f"Seen by pinned draws alone, {kind}", pinned)
        lists += listed(f"Equivalent, {kind}", same, lambda m: ": " + equivalent[m.name])
        if kind == "seeded":
            lists += listed("Does not build", broken)
            fine = not broken
        fine = fine and (differ == 0 or share >= goal)
    return "# Mutants\n\n" + table + lists, table, fine
