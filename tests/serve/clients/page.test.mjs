// The page of the service in Chromium, while phe-load plays: what it shows is what /overview said, nothing breaks
// its content-security policy, and it works at both widths, in dark and light, and by keyboard.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Server, key, page } from "./server.mjs";

const require = createRequire(import.meta.url);
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const skip = chromium ? false : "there is no Chromium";
const pictures = process.env.PHE_PICTURES;
if (pictures) mkdirSync(pictures, { recursive: true });
let server, browser, load;

// A page that remembers what went wrong with it, and where it called.
async function open(options = {}, where = server) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const tab = await context.newPage();
  tab.home = `${where.url}/`;
  tab.wrong = [];
  tab.called = [];
  tab.on("console", (message) => { if (message.type() === "error" || message.type() === "warning") tab.wrong.push(message.text()); });
  tab.on("pageerror", (error) => tab.wrong.push(String(error)));
  tab.on("request", (request) => tab.called.push(request.url()));
  await tab.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
  });
  await tab.goto(tab.home);
  return tab;
}

async function enter(tab) {
  await tab.fill("#key", key);
  await tab.press("#key", "Enter");
  await tab.waitForSelector("#main:not([hidden])");
  await tab.waitForFunction(() => document.getElementById("main").dataset.time);
}

async function allIsWell(tab) {
  assert.deepEqual(await tab.evaluate(() => window.violations), []);
  assert.deepEqual(tab.wrong, []);
  assert.deepEqual(tab.called.filter((url) => !url.startsWith(tab.home)), []);
  assert.deepEqual(tab.called.filter((url) => url.includes(key)), []);
}

const picture = (tab, name, whole = false) => (pictures ? tab.screenshot({ path: join(pictures, name), fullPage: whole }) : undefined);
const configure = async (changes) => {
  const url = `${server.url}/personalizer/v1.0/configurations/service`;
  const headers = { "Ocp-Apim-Subscription-Key": key, "content-type": "application/json" };
  const old = await (await fetch(url, { headers })).json();
  assert.equal((await fetch(url, { method: "PUT", headers, body: JSON.stringify({ ...old, ...changes }) })).status, 200);
};

before(async () => {
  if (skip) return;
  server = await new Server({ flags: ["--durability=async"] }).start();
  await configure({ rewardWaitTime: "00:00:02" });
  load = spawn(process.execPath, [join(import.meta.dirname ?? ".", "visitors.mjs"), server.url, key, pictures ? "150" : "30"], { stdio: ["ignore", "inherit", "inherit"] });
  browser = await require("playwright-core").chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });
});
after(async () => {
  if (skip) return;
  load.kill();
  await browser.close();
  await server.end();
});

test("a wrong key is refused in words, and forgotten", { skip }, async () => {
  const tab = await open();
  await tab.fill("#key", "not-a-key-of-this");
  await tab.press("#key", "Enter");
  await tab.waitForFunction(() => document.getElementById("refused").textContent);
  assert.match(await tab.textContent("#refused"), /does not know this key/);
  assert.equal(await tab.evaluate(() => sessionStorage.length), 0);
  assert.deepEqual(await tab.evaluate(() => window.violations), []);
});

test("what the page shows is what the service says, while phe-load runs", { skip }, async () => {
  const busy = await new Server({ flags: ["--durability=async"] }).start();
  const loader = spawn(join(process.env.PHE_PROGRAMS, "phe-load"), ["bench", "--url", busy.url, "--key", key, "--what", "pair",
    "--rate", "400", "--connections", "4", "--seconds", "14"], { stdio: "ignore" });
  const tab = await open({}, busy);
  await enter(tab);
  const events = [];
  for (let look = 0; look < 5; ++look) {
    const seen = await tab.evaluate(() => {
      const text = (id) => document.getElementById(id).textContent;
      const rows = (id) => [...document.querySelectorAll(`#${id} tbody tr`)].map((row) => [...row.cells].map((cell) => cell.textContent));
      const ids = ["log-events", "log-waiting", "log-expired", "log-rewards", "log-late", "model-lessons", "model-behind", "unknown-rewards"];
      return { told: window.lastOverview, numbers: ids.map(text), estimates: rows("estimates"), weights: rows("weights"),
        probabilities: rows("probabilities").map((row) => row[1]), configuration: rows("configuration"), application: text("application") };
    });
    const { log, model, activity, estimates, weights, exploration, configuration } = seen.told;
    const wanted = [log.events, log.waitingEvents, log.expiredEvents, log.rewards, log.lateRewards, model.lessons, model.behind, activity.unknownRewards];
    assert.deepEqual(seen.numbers, wanted.map((n) => n.toLocaleString("en-US")));
    events.push(log.events);
    ["policy", "baseline", "uniform"].forEach((name, i) => {
      const cells = estimates[name] === null ? ["–", "–", "–"] : [1, 0, 2].map((k) => Number(estimates[name][k].toFixed(4)).toString());
      assert.deepEqual(seen.estimates[i].slice(1), cells);
    });
    assert.deepEqual(seen.probabilities.map((n) => Number(n.replaceAll(",", ""))), exploration.probabilities);
    assert.deepEqual(seen.weights.map((row) => `${row[0]} ${row[1]} ${row[2]}`),
      weights.rows.map((row) => `${row.words} ${row.weight < 0 ? "−" : "+"}${Math.abs(row.weight).toFixed(3)} ${row.spread.toFixed(3)}`));
    assert.equal(Object.fromEntries(seen.configuration).rewardWaitTime, configuration.rewardWaitTime);
    await tab.waitForTimeout(2100);
  }
  assert.ok(events.at(-1) > events[0] + 500, events.join(" "));
  await allIsWell(tab);
  // When all is still, the API and the metrics have the same numbers.
  await new Promise((resolve) => (loader.exitCode === null ? loader.once("exit", resolve) : resolve()));
  await tab.waitForTimeout(3500);
  const shownNow = await tab.evaluate(() => window.lastOverview.log);
  const headers = { "Ocp-Apim-Subscription-Key": key };
  const known = await (await fetch(`${busy.url}/personalizer/v1.0/model/properties`, { headers })).json();
  const text = await (await fetch(`${busy.url}/metrics`, { headers })).text();
  for (const name of ["events", "waitingEvents", "rewards", "lateRewards"]) assert.equal(shownNow[name], known[name], name);
  assert.match(text, new RegExp(`^phe_log_events\\{application="default"\\} ${known.events}$`, "m"));
  await tab.close();
  await busy.end();
});

const redis = existsSync("/usr/bin/redis-server") && "/usr/bin/redis-server";
test("it shows how a node stands with Redis, there and away", { skip: skip || (redis ? false : "there is no Redis") }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "phe-redis-"));
  const free = await new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => { const { port } = probe.address(); probe.close(() => resolve(port)); });
  });
  const store = spawn(redis, ["--port", free, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes", "--appendfsync", "everysec"], { stdio: "ignore" });
  await new Promise((resolve) => { const look = () => connect(free, "127.0.0.1", resolve).on("error", () => setTimeout(look, 50)); look(); });
  const node = await new Server({ flags: [`--store=redis://127.0.0.1:${free}`, "--when-store-is-away=buffer"] }).start();
  const rank = (event) => fetch(`${node.url}/personalizer/v1.0/rank`, { method: "POST", headers: { "Ocp-Apim-Subscription-Key": key }, body: JSON.stringify(page(event)) });
  for (let i = 0; i < 5; ++i) assert.equal((await rank(`e${i}`)).status, 201);
  const tab = await open({ viewport: { width: 400, height: 900 } }, node);
  await enter(tab);
  const shownStore = () => tab.evaluate(() => ({ told: window.lastOverview.store, alarm: document.getElementById("alarm").textContent,
    risks: [...document.querySelectorAll("#store-risks li")].map((item) => item.textContent), log: document.querySelector("#applications tbody tr").cells[5].textContent,
    tiles: ["health", "lag", "buffered", "refused", "folded", "position"].map((name) => document.getElementById(`store-${name}`).textContent) }));
  const agrees = ({ told, tiles, risks }) => {
    assert.deepEqual(tiles, [told.connected ? "connected" : `away: ${told.problem}`, `${told.lagMilliseconds} ms`, ...[told.buffered, told.refused, told.folded].map(String), told.position]);
    assert.deepEqual(risks, told.risks);
  };
  await tab.waitForFunction(() => window.lastOverview.store.folded > 5);
  const there = await shownStore();
  agrees(there);
  assert.ok(there.told.connected && there.risks.length === 1 && there.alarm === "" && there.log === "written", JSON.stringify(there));
  store.kill("SIGKILL");
  await tab.waitForFunction(() => !window.lastOverview.store.connected, null, { timeout: 20_000 });
  assert.equal((await rank("f0")).status, 201);
  await tab.waitForFunction(() => window.lastOverview.store.buffered === 1);
  const away = await shownStore();
  agrees(away);
  assert.match(away.alarm, /Redis is away: .*rewards wait/);
  assert.equal(away.log, "waits for Redis");
  const [inner, wide] = await tab.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth]);
  assert.ok(wide <= inner, `${wide} > ${inner}`);
  await picture(tab, "service-page-away.png");
  await allIsWell(tab);
  await tab.close();
  await node.end();
  rmSync(folder, { recursive: true });
});

test("estimates and weights appear, and learning shows in both", { skip }, async () => {
  const tab = await open();
  await enter(tab);
  await tab.selectOption("#minutes", "10");
  await tab.waitForFunction((wanted) => window.lastOverview.estimates.events >= wanted && window.lastOverview.weights.rows.length > 0, pictures ? 2000 : 100, { timeout: 90_000 });
  if (pictures) await tab.waitForTimeout(45_000);
  await tab.waitForTimeout(500);
  const told = await tab.evaluate(() => window.lastOverview);
  const words = told.weights.rows.map((row) => row.words);
  assert.ok(words.some((text) => /^action=\w+ × device=\w+$/.test(text)), words.join("\n"));
  assert.ok(told.estimates.policy[1] > told.estimates.uniform[1], JSON.stringify(told.estimates));
  await tab.waitForSelector("#reward-chart canvas");
  await picture(tab, "service-page.png");
  await picture(tab, "service-page-whole.png", true);
  await allIsWell(tab);
});

for (const [width, scheme] of [[400, "light"], [400, "dark"], [1400, "dark"]])
  test(`it fits ${width} pixels, ${scheme}`, { skip }, async () => {
    const tab = await open({ viewport: { width, height: 900 }, colorScheme: scheme });
    await enter(tab);
    await tab.waitForSelector("#rates-chart canvas");
    const [inner, wide] = await tab.evaluate(() => [window.innerWidth, document.documentElement.scrollWidth]);
    assert.ok(wide <= inner, `${wide} > ${inner}`);
    const ground = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(ground, scheme === "dark" ? "rgb(18, 24, 30)" : "rgb(255, 255, 255)");
    await picture(tab, `service-page-${width}-${scheme}.png`);
    await allIsWell(tab);
  });

test("it can be used by keyboard and read by a screen reader", { skip }, async () => {
  const tab = await open();
  await tab.keyboard.press("Tab"); // the link that skips to the numbers
  await tab.keyboard.press("Tab");
  assert.equal(await tab.evaluate(() => document.activeElement.id), "key");
  await tab.keyboard.type(key);
  await tab.keyboard.press("Enter");
  await tab.waitForSelector("#rates-chart canvas");
  assert.equal(await tab.evaluate(() => document.activeElement.id), "main");
  const nameless = await tab.evaluate(() => [...document.querySelectorAll("button, input, select, meter, [role=img], table")]
    .filter((e) => e.checkVisibility() && !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length || e.caption)).map((e) => e.outerHTML));
  assert.deepEqual(nameless, []);
  const reached = new Set();
  for (let i = 0; i < 60; ++i) {
    await tab.keyboard.press("Tab");
    reached.add(await tab.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.id));
  }
  for (const name of ["Mean reward over time: zoom in", "Decisions and rewards per minute: show all"]) assert.ok(reached.has(name), name);
  // A chart is also a table, and its zoom is a button.
  await tab.locator("#rates-chart summary").press("Enter");
  await tab.locator("#rates-chart details tbody tr").first().waitFor(); // filled once it has opened
  const rows = await tab.locator("#rates-chart details tbody tr").count();
  assert.equal(rows, await tab.evaluate(() => window.lastOverview.rates.length));
  assert.equal(await tab.locator("#status[role=status][aria-live=polite]").count(), 1);
  await tab.locator("#leave").press("Enter");
  assert.equal(await tab.evaluate(() => sessionStorage.length), 0);
  assert.equal(await tab.isVisible("#main"), false);
  await allIsWell(tab);
});
