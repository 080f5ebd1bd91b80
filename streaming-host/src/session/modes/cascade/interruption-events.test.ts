/** What a client is told when the agent's audio stops. */
import { describe, expect, it } from "vitest";
import { greetingMs, startCascadeRig as rig } from "../../../testing/cascade-rig.ts";

const long = "One two three four five six seven eight nine ten.";

describe("barge_in", () => {
  it("[BARGE-15] comes once for an interruption, with its turn and that the caller spoke", async () => {
    const { transport, recogniser, listen, session } = await rig({ answers: [long, "Certainly."] });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "count for me" });
    await listen(1000);
    await listen(200, true);
    recogniser.last.partial("please stop that");
    await listen(400);
    recogniser.last.final("please stop that");
    await listen(1500);
    expect(transport.heard.map(({ interrupted }) => interrupted)).toEqual([false, true, false]);
    expect(transport.events("barge_in")).toMatchObject([{ payload: { reason: "speech", turn_id: "turn-2" } }]);
  });

  it("[BARGE-15] says that typed words cut the agent off", async () => {
    const { transport, listen, session } = await rig({ answers: [long, "Certainly."] });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "count for me" });
    await listen(1000);
    session.handle({ type: "whole-turn", text: "and backwards" });
    await listen(1500);
    expect(transport.events("barge_in")).toMatchObject([{ payload: { reason: "interrupted", turn_id: "turn-2" } }]);
  });

  it("[BARGE-16] does not come for an answer of which nothing was heard", async () => {
    const { transport, listen, session, model } = await rig({ answers: [long, "Certainly."] });
    await listen(greetingMs + 100);
    session.handle({ type: "whole-turn", text: "count for me" });
    session.handle({ type: "whole-turn", text: "no, backwards" });
    await listen(1500);
    expect(transport.heard.map(({ text }) => text)).not.toContain(long);
    expect(model.requests.length).toBeGreaterThan(1);
    expect(transport.events("barge_in")).toEqual([]);
  });
});
