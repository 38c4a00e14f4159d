// The page of phe view: asks for the folder every two seconds while runs come in.
import { Chart, element, fillTable, palette, shown } from "./charts.js";

const $ = (id) => document.getElementById(id);
const every = 2000;
const reach = 1.96; // standard errors of the bands
let against = 0;
const parts = new Map(); // folder -> Part

const rowsOf = (rounds, lines) => rounds.map((round, c) => [round, ...lines.map((line) =>
  (line.mean.length === 0 ? null
    : [line.mean[c] - reach * line.error[c], line.mean[c], line.mean[c] + reach * line.error[c]]))]);

// One results folder: its policies, and for each problem two charts and a table.
class Part {
  constructor(part) {
    this.names = part.policies;
    this.visible = part.policies.map(() => true);
    this.progress = element("progress", { max: part.of, value: part.done, "aria-label": "runs done" });
    this.state = element("p", { className: "note" });
    this.problems = part.problems.map((problem) => this.panel(problem.problem));
    this.where = element("section", { "aria-label": part.folder }, element("h2", { textContent: part.folder }), this.state,
      this.progress, this.switches(), ...this.problems.map((p) => p.where));
    $("main").append(this.where);
  }

  switches() {
    const colour = palette();
    const boxes = this.names.map((name, i) => {
      const box = element("input", { type: "checkbox", checked: true });
      box.addEventListener("change", () => {
        this.visible[i] = box.checked;
        for (const p of this.problems) p.regret.setVisible(this.visible), p.apart.setVisible(this.visible);
      });
      const swatch = element("span", { className: "swatch" });
      swatch.style.color = colour[i % colour.length];
      return element("li", {}, element("label", {}, box, " ", swatch, name));
    });
    const choice = element("select", {}, ...this.names.map((name, i) => element("option", { value: String(i), textContent: name })));
    choice.addEventListener("change", () => { against = Number(choice.value); look(); });
    return element("div", { className: "controls" },
      element("fieldset", {}, element("legend", { textContent: "Policies" }), element("ul", { className: "legend" }, ...boxes)),
      element("label", {}, "Differences to ", choice));
  }

  panel(name) {
    const regret = element("div", { className: "chart" }), apart = element("div", { className: "chart" });
    const table = element("table", {},
      element("caption", { textContent: "Difference of the regret after the last round, on the instances that both have done; intervals hold together with 95 %" }),
      element("thead", {}, element("tr", {}, ...["Policy", "Instances", "Difference", "From", "To"].map((t) => element("th", { scope: "col", textContent: t })))),
      element("tbody"));
    const made = {
      name, table,
      where: element("div", {}, element("h3", { textContent: name }), element("div", { className: "panels" },
        element("div", {}, element("h4", { textContent: "Regret" }), regret),
        element("div", {}, element("h4", { textContent: "Paired differences" }), apart)), table),
    };
    const common = { names: this.names, bands: true, x: "round", plain: true };
    made.regret = new Chart(regret, { ...common, label: `Regret, ${name}`, fromZero: true });
    made.apart = new Chart(apart, { ...common, label: `Difference of regret, ${name}` });
    return made;
  }

  show(part) {
    this.progress.max = part.of;
    this.progress.value = part.done;
    const left = part.state === "running" && part.secondsLeft !== null ? `, about ${Math.ceil(part.secondsLeft)} s left` : "";
    this.state.textContent = `${part.done} of ${part.of} runs, ${part.state}${left}`;
    part.problems.forEach((problem, i) => {
      const panel = this.problems[i];
      panel.regret.show(rowsOf(problem.rounds, problem.curves));
      const apart = this.names.map((_, k) => problem.differences.find((d) => d.policy === k) ?? { mean: [], error: [] });
      panel.apart.show(rowsOf(problem.rounds, apart));
      fillTable(panel.table, problem.differences.map((d) => [this.names[d.policy], d.instances,
        ...[d.mean.at(-1), d.low, d.high].map((v) => (v === null || v === undefined ? "–" : v))]));
    });
  }
}

function say(text) {
  if ($("status").textContent !== text) $("status").textContent = text;
}

let timer;
async function look() {
  clearTimeout(timer);
  try {
    const answer = await fetch(`/folder?against=${against}`, { cache: "no-store" });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.error);
    for (const part of told.parts) {
      const known = parts.get(part.folder);
      if (known && known.names.length !== part.policies.length) { known.where.remove(); parts.delete(part.folder); }
      if (!parts.has(part.folder)) parts.set(part.folder, new Part(part));
      parts.get(part.folder).show(part);
    }
    $("folder").textContent = told.parts.map((p) => p.folder).join(", ");
    const running = told.parts.some((p) => p.state !== "finished");
    say(running ? "Runs come in; read again every two seconds." : "Finished.");
    window.lastFolder = told;
  } catch (error) {
    say(`Cannot be read: ${error.message}`);
  }
  timer = setTimeout(look, every);
}
look();
