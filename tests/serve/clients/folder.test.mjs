// phe view in Chromium, while phe simulate writes the folder: curves grow, policies go on and off, zoom, differences.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const programs = process.env.PHE_PROGRAMS;
const pictures = process.env.PHE_PICTURES;

const firstLine = (child) => new Promise((resolve, reject) => {
  child.stdout.once("data", (bytes) => resolve(String(bytes).trim()));
  child.once("exit", (code) => reject(new Error(`it ended with ${code}`)));
});

test("a folder that grows", { skip: chromium ? false : "there is no Chromium" }, async () => {
  const work = mkdtempSync(join(tmpdir(), "phe-view-"));
  const folder = join("out", "linear");
  // The same command with more instances makes the folder grow.
  const simulate = (instances) => execFileSync(join(programs, "phe"), ["simulate", "--problem", "linear:d=5,arms=20", "--policy", "linphe:a=0.5",
    "--policy", "lints", "--policy", "linucb", "--rounds", "2000", "--instances", String(instances), "--threads", "1", "--quiet", "--out", folder], { cwd: work });
  simulate(5);
  const view = spawn(join(programs, "phe"), ["view", folder], { cwd: work, stdio: ["ignore", "pipe", "inherit"] });
  const browser = await require("playwright-core").chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  try {
    const url = await firstLine(view);
    for (const [width, scheme] of [[1400, "light"], [400, "dark"]]) {
      const context = await browser.newContext({ viewport: { width, height: 1000 }, colorScheme: scheme });
      const tab = await context.newPage();
      const wrong = [], called = [];
      tab.on("console", (message) => { if (["error", "warning"].includes(message.type())) wrong.push(message.text()); });
      tab.on("pageerror", (error) => wrong.push(String(error)));
      tab.on("request", (request) => called.push(request.url()));
      await tab.addInitScript(() => {
        window.violations = [];
        document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.sample}`));
      });
      await tab.goto(url);
      await tab.waitForSelector(".chart canvas");
      if (width === 1400) {
        assert.equal(await tab.evaluate(() => window.lastFolder.parts[0].done), 15);
        const before = await tab.evaluate(() => document.querySelector(".plot canvas").toDataURL().length);
        simulate(20);
        await tab.waitForFunction(() => window.lastFolder.parts[0].done === 60, undefined, { timeout: 30_000 });
        assert.notEqual(await tab.evaluate(() => document.querySelector(".plot canvas").toDataURL().length), before);
      }
      const seen = await tab.evaluate(() => ({ told: window.lastFolder, note: document.querySelector("main .note").textContent,
        rows: [...document.querySelectorAll("main > section > div > table tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent)) }));
      const part = seen.told.parts[0];
      assert.equal(seen.note, `${part.of} of ${part.of} runs, finished`);
      const number = (v) => Number(v.toFixed(4)).toString();
      assert.deepEqual(seen.rows, part.problems[0].differences.map((d) =>
        [part.policies[d.policy], String(d.instances), number(d.mean.at(-1)), number(d.low), number(d.high)]));
      // Another policy to compare with.
      await tab.selectOption("main select", "2");
      await tab.waitForFunction(() => window.lastFolder.parts[0].against === 2);
      // Off and on again, and zoom, by keyboard.
      const ink = () => tab.evaluate(() => document.querySelector(".plot canvas").toDataURL().length);
      const all = await ink();
      await tab.locator("main .legend input").first().press("Space");
      await tab.waitForTimeout(100);
      const fewer = await ink();
      assert.notEqual(fewer, all);
      await tab.locator("main .legend input").first().press("Space");
      const button = tab.getByRole("button", { name: /^Regret, .*: zoom in$/ });
      await button.press("Enter");
      await tab.waitForTimeout(100);
      assert.notEqual(await ink(), all);
      await tab.getByRole("button", { name: /^Regret, .*: show all$/ }).press("Enter");
      const [inner, wide] = await tab.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth]);
      assert.ok(wide <= inner, `${wide} > ${inner}`);
      assert.deepEqual(await tab.evaluate(() => window.violations), []);
      assert.deepEqual(wrong, []);
      assert.deepEqual(called.filter((address) => !address.startsWith(url)), []);
      if (pictures) await tab.screenshot({ path: join(pictures, width === 1400 ? "view.png" : "view-400-dark.png") });
    }
  } finally {
    await browser.close();
    view.kill("SIGINT");
    rmSync(work, { recursive: true, force: true });
  }
});
