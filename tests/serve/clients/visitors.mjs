// visitors.mjs URL KEY SECONDS: people who look at news on phones and desks, and like what fits. For the page's tests.
const [url, key, seconds] = process.argv.slice(2);
const headers = { "Ocp-Apim-Subscription-Key": key, "content-type": "application/json" };
const like = { mobile: { news: 0.2, sport: 0.7, music: 0.3 }, desktop: { news: 0.6, sport: 0.2, music: 0.3 } };
const actions = Object.keys(like.mobile).map((id) => ({ id, features: [{ topic: id }] }));
const end = Date.now() + 1000 * Number(seconds);
// One generator for all, so that a run is the same each time but for the order of answers.
let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;

async function visit() {
  const device = random() < 0.5 ? "mobile" : "desktop";
  const body = JSON.stringify({ contextFeatures: [{ device }], actions });
  const answer = await (await fetch(`${url}/personalizer/v1.0/rank`, { method: "POST", headers, body })).json();
  const liked = random() < like[device][answer.rewardActionId];
  if (liked || random() < 0.5)
    await fetch(`${url}/personalizer/v1.0/events/${answer.eventId}/reward`, { method: "POST", headers, body: JSON.stringify({ value: liked ? 1 : 0 }) });
  if (random() < 0.01) await fetch(`${url}/personalizer/v1.0/events/nobody/reward`, { method: "POST", headers, body: '{"value":1}' });
}

async function visitor() {
  while (Date.now() < end) {
    await visit().catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 40 + 40 * random()));
  }
}
await Promise.all(Array.from({ length: 6 }, visitor));
