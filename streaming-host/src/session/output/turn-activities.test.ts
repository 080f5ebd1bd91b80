import { expect, it } from "vitest";
import { TurnActivities } from "./turn-activities.ts";

it("keeps what was done, in the order of its ends, and ends with the reply what went on until then", () => {
  const activities = new TurnActivities();
  const chat = activities.begin({ part: "model", name: "chat", startMs: 10, attributes: { a: 1 } });
  const speech = activities.begin({ part: "synthesis", name: "synthesis", startMs: 20, attributes: {} });
  chat.end(30, { attributes: { b: 2 }, errorType: "upstream_timeout" });
  chat.end(35);
  activities.close(40);
  speech.end(50);
  expect(activities.all).toEqual([
    { part: "model", name: "chat", startMs: 10, endMs: 30, attributes: { a: 1, b: 2 }, errorType: "upstream_timeout" },
    {
      part: "synthesis",
      name: "synthesis",
      startMs: 20,
      endMs: 40,
      attributes: { "voice.cancelled": true },
      errorType: undefined,
    },
  ]);
});
