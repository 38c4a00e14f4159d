// @azure/cognitiveservices-personalizer 2.0.1, unchanged, over plain HTTP.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRequire } from "node:module";
import { Server, key, page } from "./server.mjs";

const require = createRequire(import.meta.url);
const { PersonalizerClient } = require("@azure/cognitiveservices-personalizer");
const { ApiKeyCredentials } = require("@azure/ms-rest-js");

const server = new Server();
let client;
const connect = (secret = key, options = {}) =>
  new PersonalizerClient(new ApiKeyCredentials({ inHeader: { "Ocp-Apim-Subscription-Key": secret } }), server.url, options);

before(async () => {
  await server.start();
  client = connect();
});
after(() => server.end());

test("rank, reward and activate", async () => {
  const answer = await client.rank(page("e1"));
  assert.equal(answer.eventId, "e1");
  assert.equal(answer.ranking.length, 3);
  assert.ok(Math.abs(answer.ranking.reduce((sum, r) => sum + r.probability, 0) - 1) < 1e-9);
  assert.ok(["a", "b", "c"].includes(answer.rewardActionId));
  assert.equal((await client.rank(page("e1"))).rewardActionId, answer.rewardActionId);
  await client.events.reward("e1", { value: 1 });
  await client.rank({ ...page("e2"), deferActivation: true });
  await client.events.activate("e2");
  const odd = "a/b c%e?#";
  await client.rank(page(odd));
  await client.events.reward(odd, { value: 0.5 });
});

test("it learns", async () => {
  for (let i = 0; i < 150; ++i) {
    const answer = await client.rank(page(`l${i}`));
    await client.events.reward(`l${i}`, { value: answer.rewardActionId === "b" ? 1 : 0 });
  }
  await new Promise((done) => setTimeout(done, 1500));
  const { ranking } = await client.rank(page("last"));
  const b = ranking.find((r) => r.id === "b").probability;
  assert.ok(b > 0.5, `the best action has probability ${b}`);
});

test("errors carry code and message", async () => {
  const refused = (promise, status, code) => assert.rejects(promise, (error) => {
    assert.equal(error.statusCode, status);
    assert.equal(error.code, code);
    assert.ok(error.message.length > 0);
    return true;
  });
  await refused(client.rank({ actions: [] }), 400, "InvalidRankRequest");
  await refused(client.events.reward("e1", { value: 2 }), 400, "InvalidRewardRequest");
  await refused(client.events.reward("e1", { value: NaN }), 400, "InvalidRewardRequest");
  await refused(connect("wrong key").rank(page("x")), 401, "Unauthorized");
});

// The client waits 27 to 39 s before its one retry of a connection that was refused.
test("a restart during a call is survived by the client's own retry", { timeout: 60_000 }, async () => {
  const port = server.port;
  await server.stop();
  const waiting = client.rank(page("while-down"));
  await new Promise((done) => setTimeout(done, 2000));
  await server.start(port);
  assert.equal((await waiting).eventId, "while-down");
});
