// The browser build of @azure/cognitiveservices-personalizer in Chromium, from a page of another origin.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createRequire } from "node:module";
import { test } from "node:test";
import { Server, key, page } from "./server.mjs";

const require = createRequire(import.meta.url);
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);

test("rank, reward, activate and an error, across origins", { skip: chromium ? false : "there is no Chromium" }, async () => {
  const modules = join(dirname(require.resolve("playwright-core/package.json")), "..");
  const files = {
    "/": "<!doctype html><script src=/rest.js></script><script src=/client.js></script>",
    "/rest.js": readFileSync(join(modules, "@azure/ms-rest-js/dist/msRest.browser.js")),
    "/client.js": readFileSync(join(modules, "@azure/cognitiveservices-personalizer/dist/cognitiveservices-personalizer.js")),
  };
  const site = createServer((request, response) => response.end(files[request.url] ?? "")).listen(0, "127.0.0.1");
  const server = await new Server().start();
  const browser = await require("playwright-core").chromium.launch({ executablePath: chromium, args: ["--no-sandbox"] });
  try {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${site.address().port}/`);
    const seen = await tab.evaluate(async ({ url, key, body }) => {
      const { PersonalizerClient } = Azure.CognitiveservicesPersonalizer;
      const connect = (secret) => new PersonalizerClient(
        new msRest.ApiKeyCredentials({ inHeader: { "Ocp-Apim-Subscription-Key": secret } }), url);
      const client = connect(key);
      const answer = await client.rank(body);
      await client.events.reward(answer.eventId, { value: 1 });
      await client.events.activate(answer.eventId);
      const errors = [];
      for (const call of [() => client.rank({ actions: [] }), () => connect("wrong").rank(body)])
        await call().catch((error) => errors.push([error.statusCode, error.code]));
      return { event: answer.eventId, count: answer.ranking.length, errors };
    }, { url: server.url, key, body: page("from-a-browser") });
    assert.deepEqual(seen, { event: "from-a-browser", count: 3,
      errors: [[400, "InvalidRankRequest"], [401, "Unauthorized"]] });
  } finally {
    await browser.close();
    await server.end();
    site.close();
  }
});
