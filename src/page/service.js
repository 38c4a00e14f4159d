// The page of a service: asks /overview every two seconds and shows what it says.
import { Chart, element, fillTable, shown } from "./charts.js";

const $ = (id) => document.getElementById(id);
const every = 2000;
const storage = "phe-serve key";
const who = { policy: "This policy", baseline: "Always the first action", uniform: "Any action, at random" };
let charts, timer, paused = false;

const key = () => sessionStorage.getItem(storage);

function tile(name, value, id, bad = false) {
  return element("div", {}, element("dt", { textContent: name }),
    element("dd", { textContent: value, id, className: bad ? "bad" : "" }));
}

const whole = (n) => (n === null ? "–" : n.toLocaleString("en-US"));
function age(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

function showNow(o) {
  const rate = o.rates.length > 1 ? o.rates[o.rates.length - 2] : [0, 0, 0];
  $("tiles").replaceChildren(
    tile("Decisions per minute", shown(rate[1], 1), "now-decisions"),
    tile("Rewards per minute", shown(rate[2], 1), "now-rewards"),
    tile("Events in the log", whole(o.log.events), "log-events"),
    tile("Waiting for rewards", whole(o.log.waitingEvents), "log-waiting"),
    tile("Expired without one", whole(o.log.expiredEvents), "log-expired"),
    tile("Rewards in the log", whole(o.log.rewards), "log-rewards"),
    tile("Late rewards", whole(o.log.lateRewards), "log-late"),
    tile("Rewards of unknown events", whole(o.activity.unknownRewards), "unknown-rewards"),
    tile("Lessons in the model", whole(o.model.lessons), "model-lessons"),
    tile("Lessons it is behind", whole(o.model.behind), "model-behind"),
    tile("Age of the model", age(o.model.ageSeconds), "model-age"),
    tile("Log", o.logWritable ? "written" : "cannot be written", "log-health", !o.logWritable));
  const alarms = o.logWritable ? [] : ["The log cannot be written: calls are answered with 429."];
  if (o.store && !o.store.connected) alarms.push(away(o.store));
  $("alarm").textContent = alarms.join(" ");
}

function away(store) {
  const rewards = store.rewardsWhileAway === "buffer" ? "rewards wait on this node's disk too" : "rewards are answered with 429";
  return `Redis is away: ranks go on with the model that is here, and ${rewards}.`;
}

function showStore(o) {
  const store = o.store;
  $("store").hidden = store === null;
  if (store === null) return;
  $("store-tiles").replaceChildren(
    tile("Redis", store.connected ? "connected" : `away: ${store.problem}`, "store-health", !store.connected),
    tile("Since", `${store.since.slice(0, 19).replace("T", " ")} UTC`, "store-since"),
    tile("This node is behind by", `${whole(store.lagMilliseconds)} ms`, "store-lag"),
    tile("Calls that wait on its disk", whole(store.buffered), "store-buffered", store.buffered > 0),
    tile("Calls refused", whole(store.refused), "store-refused"),
    tile("Entries followed", whole(store.folded), "store-folded"),
    tile("Last entry", store.position, "store-position"));
  $("store-risks").replaceChildren(...store.risks.map((risk) => element("li", { textContent: risk })));
}

function showRewards(o) {
  const e = o.estimates;
  const row = (name) => (e[name] === null ? [who[name], "–", "–", "–"] : [who[name], e[name][1], e[name][0], e[name][2]]);
  fillTable($("estimates"), Object.keys(who).map(row));
  const notes = [`${whole(e.events)} decisions whose wait time (${o.configuration.rewardWaitTime}) is over; the other two lines are what the log says they would have earned on the same visits.`];
  if (!e.everyEventRead) notes.push("Of busy times a part was read.");
  if (e.unsupportedEvents > 0) notes.push(`In ${whole(e.unsupportedEvents)} of them some action could not be shown, so nothing can be said of other choices.`);
  if (o.unreadSeconds > 0) notes.push(`${age(o.unreadSeconds)} of the log still open or unread.`);
  $("reward-note").textContent = notes.join(" ");
  charts.reward.show(o.history.map(([t, policy, baseline, uniform]) => [t, policy, baseline, uniform]));
}

function showRates(o) {
  $("rates-note").textContent = `Counted since this program was started, ${o.since.slice(0, 19).replace("T", " ")} UTC. A point is ${age(o.range.pointSeconds)}.`;
  charts.rates.show(o.rates);
}

function showExploration(o) {
  const x = o.exploration;
  const percent = (share) => (share === null ? "–" : `${(100 * share).toFixed(1)} %`);
  $("explore-tiles").replaceChildren(
    tile("Shown was not the favourite", percent(x.explored), "explored"),
    tile("Mean probability of what was shown", x.meanProbability === null ? "–" : shown(x.meanProbability), "mean-probability"),
    tile("Uniform floor", percent(x.floor), "floor"));
  const total = x.probabilities.reduce((a, b) => a + b, 0);
  fillTable($("probabilities"), x.probabilities.map((count, i) => {
    const meter = element("meter", { min: 0, max: Math.max(total, 1), value: count, "aria-label": `probability ${i / 10} to ${(i + 1) / 10}` });
    return [`${i / 10} to ${(i + 1) / 10}`, count, meter];
  }));
  charts.explore.show(o.history.map((row) => [row[0], row[4], row[5]]));
}

function showWeights(o) {
  const { rows, unit } = o.weights;
  $("weights-note").textContent = rows.length === 0
    ? "The model has learnt nothing yet, the names of its features were not read yet, or its policy has no weights."
    : `How much a feature adds to an action's score, in units of ${unit}; ± is how far the 64 drawn models differ: what exploration still tries. Names are those of requests in the log; ${o.dimension} places hold all features, and several may share one.`;
  fillTable($("weights"), rows.map((row) => [row.words, `${row.weight < 0 ? "−" : "+"}${Math.abs(row.weight).toFixed(3)}`, row.spread.toFixed(3),
    row.also.map((other) => other.words).join("; ") + (row.others ? "; and more" : "")]));
}

function health(application) {
  if (!application.logWritable) return "cannot be written";
  return application.storeConnected === false ? "waits for Redis" : "written";
}

function showRest(o) {
  fillTable($("applications"), o.applications.map((a) =>
    [a.name, a.decisions, a.events ?? "–", a.waitingEvents ?? "–", a.policy, health(a)]));
  const settings = { policy: o.policy.arguments, dimension: o.dimension, ...o.configuration };
  fillTable($("configuration"), Object.entries(settings).map(([name, value]) => [name, String(value)]));
  $("application").textContent = o.application;
  $("version").textContent = `phe-serve ${o.version}`;
}

function show(o) {
  showNow(o);
  showStore(o);
  showRewards(o);
  showRates(o);
  showExploration(o);
  showWeights(o);
  showRest(o);
  $("main").dataset.time = o.time;
}

function say(text) {
  if ($("status").textContent !== text) $("status").textContent = text;
}

async function look() {
  clearTimeout(timer);
  const asked = key();
  if (!asked) return;
  try {
    const answer = await fetch(`/overview?minutes=${$("minutes").value}`, { headers: { "Ocp-Apim-Subscription-Key": asked }, cache: "no-store" });
    if (answer.status === 401) return leave("The service does not know this key.");
    if (!answer.ok) throw new Error(`the service answered ${answer.status}`);
    const overview = await answer.json();
    enter();
    window.lastOverview = overview;
    show(overview);
    say(paused ? "Paused." : "Connected; new numbers every two seconds.");
  } catch (error) {
    say(`No answer (${error.message}); asked again every two seconds.`);
  }
  if (!paused && key()) timer = setTimeout(look, every);
}

function enter() {
  if (!$("main").hidden) return;
  $("enter").hidden = true;
  $("controls").hidden = $("main").hidden = false;
  $("refused").textContent = "";
  const day = { time: true };
  charts ??= {
    reward: new Chart($("reward-chart"), { ...day, label: "Mean reward over time", names: Object.values(who), bands: true }),
    rates: new Chart($("rates-chart"), { ...day, label: "Decisions and rewards per minute", names: ["decisions", "rewards"], fromZero: true }),
    explore: new Chart($("explore-chart"), { ...day, label: "Exploration over time", names: ["shown was not the favourite (share)", "mean probability of what was shown"], fromZero: true }),
  };
  $("main").focus();
}

function leave(reason) {
  clearTimeout(timer);
  sessionStorage.removeItem(storage);
  $("enter").hidden = false;
  $("controls").hidden = $("main").hidden = true;
  $("refused").textContent = reason;
  say("Not connected.");
  $("key").focus();
}

$("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(storage, $("key").value.trim());
  $("key").value = "";
  look();
});
$("leave").addEventListener("click", () => leave(""));
$("minutes").addEventListener("change", look);
$("pause").addEventListener("click", () => {
  paused = !paused;
  $("pause").setAttribute("aria-pressed", String(paused));
  $("pause").textContent = paused ? "Go on" : "Pause";
  look();
});
look();
