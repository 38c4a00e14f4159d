// @azure-rest/ai-personalizer 1.0.0-beta.1, unchanged, over TLS.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Server, key, page } from "./server.mjs";

// Node reads the certificate that it is to trust once, at its start: the calls are made by a child.
if (!process.env.PHE_URL) {
  test("all operations over TLS", { timeout: 120_000 }, async () => {
    const server = new Server({ tls: true });
    await server.start();
    const env = { ...process.env, PHE_URL: server.url, NODE_EXTRA_CA_CERTS: server.certificate };
    delete env.NODE_TEST_CONTEXT;
    const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { env, encoding: "utf8" });
    await server.end();
    assert.equal(child.status, 0, child.stdout + child.stderr);
  });
  test("shed load is retried as the client does it", { timeout: 60_000 }, async () => {
    const server = new Server({ tls: true, flags: ["--max-waiting=0"] });
    await server.start();
    const env = { ...process.env, PHE_URL: server.url, NODE_EXTRA_CA_CERTS: server.certificate, PHE_SHED: "1" };
    delete env.NODE_TEST_CONTEXT;
    const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { env, encoding: "utf8" });
    await server.end();
    assert.equal(child.status, 0, child.stdout + child.stderr);
  });
} else {
  const require = createRequire(import.meta.url);
  const personalizer = require("@azure-rest/ai-personalizer");
  const connect = personalizer.default;
  const { isUnexpected } = personalizer;
  const client = connect(process.env.PHE_URL, { key });
  const json = (body) => ({ body, contentType: "application/json" });
  const expect = (response, status) => {
    assert.equal(String(response.status), String(status), JSON.stringify(response.body));
    return response.body;
  };

  if (process.env.PHE_SHED) {
    const began = Date.now();
    const response = await client.path("/rank").post(json(page("shed")));
    assert.equal(response.status, "429");
    assert.ok(isUnexpected(response));
    // Three retries, each after the second that Retry-After asks for.
    assert.ok(Date.now() - began > 2500, `${Date.now() - began} ms`);
    process.exit(0);
  }

  const ranked = await client.path("/rank").post(json(page("e1")));
  assert.ok(!isUnexpected(ranked));
  assert.equal(expect(ranked, 201).eventId, "e1");
  const rewarded = await client.path("/events/{eventId}/reward", "e1").post(json({ value: 1 }));
  expect(rewarded, 204);
  assert.ok(!isUnexpected(rewarded), "the courtesy header makes a 204 expected");
  expect(await client.path("/events/{eventId}/activate", "e1").post(), 204);

  const configuration = expect(await client.path("/configurations/service").get(), 200);
  assert.equal(configuration.rewardWaitTime, "PT10M");
  const changed = { ...configuration, explorationPercentage: 0.3 };
  assert.equal(expect(await client.path("/configurations/service").put(json(changed)), 200).explorationPercentage, 0.3);
  const bad = await client.path("/configurations/service").put(json({ ...configuration, defaultReward: 7 }));
  assert.ok(isUnexpected(bad));
  assert.equal(expect(bad, 400).error.code, "InvalidServiceConfiguration");

  assert.equal(expect(await client.path("/configurations/policy").get(), 200).name, "linphe");
  assert.equal(expect(await client.path("/configurations/policy").put(json({ name: "n", arguments: "lints" })), 200).name, "n");
  expect(await client.path("/configurations/policy").delete(), 200);

  expect(await client.path("/model").get({ queryParameters: { signed: true } }), 200);
  assert.ok(expect(await client.path("/model/properties").get(), 200).creationTime);
  expect(await client.path("/model").delete(), 204);
  assert.ok(expect(await client.path("/logs/properties").get(), 200).dateRange.from);

  const asked = { name: "n", startTime: "2020-01-01T00:00:00Z", endTime: "2120-01-01T00:00:00Z", policies: [] };
  const evaluation = expect(await client.path("/evaluations").post(json(asked)), 201);
  assert.ok(evaluation.id);
  for (let i = 0; i < 100; ++i) {
    const now = expect(await client.path("/evaluations/{evaluationId}", evaluation.id).get(), 200);
    if (now.status === "completed") break;
    assert.equal(now.status, "pending");
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.equal(expect(await client.path("/evaluations").get(), 200).length, 1);
  expect(await client.path("/evaluations/{evaluationId}", evaluation.id).delete(), 204);
  expect(await client.path("/logs").delete(), 204);
  const none = await client.path("/logs/properties").get();
  assert.equal(expect(none, 404).error.code, "LogsPropertiesNotFound");
  const slots = await client.path("/multislot/rank").post(json({ ...page("s"), slots: [{ id: "1", baselineAction: "a" }] }));
  assert.equal(expect(slots, 400).error.code, "InvalidMultiSlotApiAccess");
}
