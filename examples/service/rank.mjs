// The official client of Azure Personalizer, unchanged, against phe-serve:
//   npm install @azure/cognitiveservices-personalizer@2.0.1 @azure/ms-rest-js@2.7.0
//   KEY=... node rank.mjs [http://127.0.0.1:8080]
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { PersonalizerClient } = require("@azure/cognitiveservices-personalizer");
const { ApiKeyCredentials } = require("@azure/ms-rest-js");

const credentials = new ApiKeyCredentials({ inHeader: { "Ocp-Apim-Subscription-Key": process.env.KEY } });
const client = new PersonalizerClient(credentials, process.argv[2] ?? "http://127.0.0.1:8080");

// Visitors in the morning want pasta, others ice. The service does not know.
let right = 0;
for (let visit = 1; visit <= 300; ++visit) {
  const hour = Math.random() < 0.5 ? "morning" : "evening";
  const { eventId, rewardActionId } = await client.rank({
    contextFeatures: [{ hour }],
    actions: [
      { id: "pasta", features: [{ taste: "salty" }] },
      { id: "ice", features: [{ taste: "sweet" }] },
    ],
  });
  const liked = rewardActionId === (hour === "morning" ? "pasta" : "ice");
  await client.events.reward(eventId, { value: liked ? 1 : 0 });
  right += liked;
  if (visit % 100 === 0) {
    console.log(`visits ${visit - 99} to ${visit}: ${right} of 100 liked`);
    right = 0;
  }
}
