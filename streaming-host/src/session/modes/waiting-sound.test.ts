/** SOUND in both modes: when a session lets a caller hear that the agent works. */
import { describe, expect, it } from "vitest";
import { bothModes, startInMode } from "../../testing/both-modes-rig.ts";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";

const toolMs = 4000;
const answers = [{ calls: [{ name: "look_up" }] }, "In the oven."];

function catalogWith(ofScenario: "typing" | undefined, ofAgent?: "none" | "tone") {
  const speech = { candidateLanguages: [], phrases: [], ...(ofAgent && { waitingSound: ofAgent }) };
  const catalog = fakeCatalog({ agents: [fakeAgent("desk", { speech }), fakeAgent("cards")] });
  return { ...catalog, scenario: { ...catalog.scenario, ...(ofScenario && { waitingSound: ofScenario }) } };
}

describe.each(bothModes)("in %s", (mode) => {
  async function whileTheToolRuns(...sounds: Parameters<typeof catalogWith>) {
    const rig = await startInMode(mode, { catalog: catalogWith(...sounds), answers, toolMs });
    await rig.passes(1500);
    await rig.says("where is my order");
    const before = rig.transport.frames.length;
    await rig.passes(2000);
    return { ...rig, sent: () => rig.transport.frames.length - before };
  }

  it("[SOUND-1] a tool that takes long is heard to work, and the answer follows without it", async () => {
    const { sent, passes, said, transport } = await whileTheToolRuns("typing");
    expect(sent()).toBeGreaterThan(40);
    await passes(6000);
    expect(said().at(-1)).toBe("desk: In the oven.");
    const frames = transport.frames.length;
    await passes(500);
    expect(transport.frames).toHaveLength(frames);
  });

  it("[SOUND-3] is silent while the caller speaks", async () => {
    const { says, sent, clock, transport } = await whileTheToolRuns("typing");
    const before = sent();
    const speaks = says("and another thing", 400);
    const from = clock.now();
    await speaks;
    // What was sent before the first sound was known to be speech.
    const over = transport.frames.filter((atMs) => atMs > from + 150 && atMs < from + 400);
    expect([before > 40, over]).toEqual([true, []]);
  });

  it("[SOUND-1] an agent's own setting goes before the scenario's, and without one there is silence", async () => {
    expect((await whileTheToolRuns("typing", "none")).sent()).toBe(0);
    expect((await whileTheToolRuns(undefined)).sent()).toBe(0);
    expect((await whileTheToolRuns(undefined, "tone")).sent()).toBeGreaterThan(40);
  });
});
