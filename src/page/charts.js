// A chart with a legend that switches lines on and off, buttons to zoom, and its numbers as a table:
// whoever cannot see the lines, or has no mouse, gets the same. Drawn by dygraphs.

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
const colours = {
  light: ["#0b5c86", "#b3470b", "#4f7d13", "#7a3ea0", "#9c1f4b", "#00736b", "#6b5a00", "#44546a"],
  dark: ["#7cc7ec", "#ffb077", "#b5dd74", "#d7a8f2", "#ff9fbf", "#6fd9cf", "#e6d06a", "#b9c6d6"],
};
export const palette = () => (prefersDark.matches ? colours.dark : colours.light);

// Its legend would set styles in markup, which the page's policy forbids; ours does not.
let ready = false;
function prepare() {
  if (ready) return;
  Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin !== Dygraph.Plugins.Legend);
  ready = true;
}

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export const shown = (value, digits = 3) =>
  value === null || value === undefined || !Number.isFinite(value) ? "–"
    : Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en-US")
      : Number(value.toFixed(digits)).toString();

export function fillTable(table, rows) {
  const body = table.tBodies[0];
  body.replaceChildren(...rows.map((row) => {
    const cells = row.map((cell, i) => {
      const made = element(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : {});
      if (typeof cell === "number") made.className = "number";
      made.append(cell instanceof Node ? cell : typeof cell === "number" ? shown(cell, 4) : String(cell));
      return made;
    });
    return element("tr", {}, ...cells);
  }));
}

const centre = (cell) => (Array.isArray(cell) ? cell[1] : cell);

export class Chart {
  // options: label (what a screen reader is told), names (of the lines), bands (each line has
  // [low, value, high]), time (x is milliseconds), x (what x is), format (of a value), plain (no
  // legend of its own)
  constructor(where, options) {
    prepare();
    this.options = { format: (v) => shown(v), ...options };
    this.visible = options.names.map(() => true);
    this.rows = [];
    this.plot = element("div", { className: "plot", role: "img", "aria-label": options.label });
    this.value = element("p", { className: "value" });
    this.legend = element("ul", { className: "legend" });
    this.table = element("table", {}, element("caption", { textContent: options.label }),
      element("thead"), element("tbody"));
    this.details = element("details", {}, element("summary", { textContent: "As a table" }),
      element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": `${options.label}: table` }, this.table));
    this.details.addEventListener("toggle", () => this.fill());
    where.replaceChildren(...(options.plain ? [] : [this.legend]), this.plot, this.tools(), this.value, this.details);
    this.drawLegend();
    prefersDark.addEventListener("change", () => { this.drawLegend(); this.draw(); });
    new ResizeObserver(() => this.graph?.resize()).observe(this.plot);
  }

  tools() {
    const button = (text, name, act) => {
      const made = element("button", { type: "button", textContent: text, "aria-label": `${this.options.label}: ${name}` });
      made.addEventListener("click", act);
      return made;
    };
    return element("div", { className: "tools" },
      button("+", "zoom in", () => this.zoom(0.5, 0)), button("−", "zoom out", () => this.zoom(2, 0)),
      button("←", "earlier", () => this.zoom(1, -0.25)), button("→", "later", () => this.zoom(1, 0.25)),
      button("All", "show all", () => this.zoom(0, 0)));
  }

  drawLegend() {
    const colour = palette();
    const items = this.options.names.map((name, i) => {
      const box = element("input", { type: "checkbox", checked: this.visible[i] });
      box.addEventListener("change", () => {
        this.visible[i] = box.checked;
        this.graph?.setVisibility(i, box.checked);
      });
      const swatch = element("span", { className: "swatch" });
      swatch.style.color = colour[i % colour.length];
      return element("li", {}, element("label", {}, box, " ", swatch, name));
    });
    this.legend.replaceChildren(...items);
  }

  setVisible(visible) {
    this.visible = [...visible];
    visible.forEach((on, i) => this.graph?.setVisibility(i, on));
  }

  // Rows of [x, line, line, ..]; a line's entry is null where it is not known.
  show(rows) {
    const alike = JSON.stringify(rows) === JSON.stringify(this.rows);
    this.rows = rows;
    if (alike && this.graph) return;
    this.draw();
    this.fill();
  }

  draw() {
    const data = this.rows.map(([x, ...lines]) => [this.options.time ? new Date(x) : x,
      ...lines.map((cell) => (this.options.bands ? cell ?? [null, null, null] : cell))]);
    const labels = [this.options.x ?? "time", ...this.options.names];
    const colour = palette();
    const style = getComputedStyle(document.documentElement);
    const look = {
      labels, colors: this.options.names.map((_, i) => colour[i % colour.length]), visibility: [...this.visible],
      gridLineColor: style.getPropertyValue("--line"), axisLineColor: style.getPropertyValue("--quiet"),
    };
    if (this.rows.length === 0) {
      this.graph?.destroy();
      this.graph = undefined;
      this.plot.textContent = "Nothing to show yet.";
      return;
    }
    if (this.graph) {
      this.graph.updateOptions({ file: data, ...look });
      return;
    }
    this.plot.textContent = "";
    this.graph = new Dygraph(this.plot, data, {
      ...look, customBars: Boolean(this.options.bands), fillAlpha: 0.18, strokeWidth: 2, connectSeparatedPoints: true,
      drawPoints: true, pointSize: 2, labelsUTC: true, includeZero: Boolean(this.options.fromZero), legend: "never",
      axes: { y: { axisLabelWidth: 60 } },
      highlightCallback: (_, x, points) => {
        const at = this.options.time ? new Date(x).toISOString().slice(0, 19).replace("T", " ") : shown(x);
        this.value.textContent = [at, ...points.map((p) => `${p.name} ${this.options.format(p.yval)}`)].join("  ·  ");
      },
      unhighlightCallback: () => { this.value.textContent = ""; },
    });
  }

  // By a factor about the middle, moved by a share of the window; factor 0 shows all.
  zoom(factor, move) {
    if (!this.graph) return;
    if (factor === 0) return this.graph.updateOptions({ dateWindow: null, valueRange: null });
    const [low, high] = this.graph.xAxisRange();
    const middle = (low + high) / 2 + move * (high - low);
    const half = (factor * (high - low)) / 2;
    this.graph.updateOptions({ dateWindow: [middle - half, middle + half] });
  }

  fill() {
    if (!this.details.open) return;
    const names = [this.options.x ?? "time (UTC)", ...this.options.names];
    this.table.tHead.replaceChildren(element("tr", {}, ...names.map((name) => element("th", { scope: "col", textContent: name }))));
    fillTable(this.table, this.rows.map(([x, ...lines]) =>
      [this.options.time ? new Date(x).toISOString().slice(0, 19).replace("T", " ") : shown(x),
        ...lines.map((cell) => {
          if (cell === null) return "–";
          return Array.isArray(cell) ? `${shown(centre(cell), 4)} (${shown(cell[0], 4)} to ${shown(cell[2], 4)})` : shown(cell, 4);
        })]));
  }
}
