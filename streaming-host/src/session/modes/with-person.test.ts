/** A person takes the agent's place, and hands the conversation back, in every mode. */
import { describe, expect, it } from "vitest";
import { bothModes, startInMode } from "../../testing/both-modes-rig.ts";
import type { BothModesOptions } from "../../testing/both-modes-rig.ts";
import { personRateHz } from "../person/person-line.ts";

describe.each(bothModes)("in %s, a person who takes over", (mode) => {
  async function greeted(options: BothModesOptions = {}) {
    const rig = await startInMode(mode, options);
    await rig.passes(1500);
    return rig;
  }
  type Rig = Awaited<ReturnType<typeof greeted>>;
  const said = (rig: Rig) =>
    rig
      .said()
      .slice(1)
      .filter((words) => !/^\w+:\s+(…)?$/.test(words));
  /** The person speaks, and is heard as loud as this. */
  async function speaks({ session, passes }: Rig, ms: number, level = 5000): Promise<void> {
    for (let elapsed = 0; elapsed < ms; elapsed += 20) {
      session.handle({ type: "person-audio", samples: new Int16Array(personRateHz / 50).fill(level) });
      await passes(20);
    }
  }
  const loudFrames = ({ transport }: Rig, from: number) =>
    transport.peaks.slice(from).filter((peak) => peak > 4000).length;

  it("[PERSON-4] silences the agent in mid-answer, and is heard in its place", async () => {
    const rig = await greeted({ answers: ["The first is a long sentence about many things."] });
    await rig.says("tell me", 400);
    await rig.passes(500);
    rig.session.handle({ type: "person-joined" });
    await rig.passes(200);
    const before = rig.transport.frames.length;
    await speaks(rig, 1000);
    await rig.passes(500);
    expect(loudFrames(rig, before)).toBeGreaterThan(45);
    expect(said(rig)).toMatchObject([expect.stringMatching(/ …$/)]);
  });

  it("[PERSON-4] keeps the agent silent, whatever the caller says and however long nobody speaks", async () => {
    const rig = await greeted({ answers: ["One.", "Two.", "Three."] });
    rig.session.handle({ type: "person-joined" });
    await rig.says("can you help me", 900);
    await rig.passes(2000);
    rig.session.handle({ type: "whole-turn", text: "typed words" });
    await rig.passes(60_000);
    expect(said(rig)).toEqual([]);
    expect(rig.end()).toBeUndefined();
    const kept = rig.conversation.knownHistory.filter(({ role }) => role === "user").map(({ content }) => content);
    expect(kept).toEqual(["can you help me", "typed words"]);
  });

  it("[PERSON-5] has their words stored as a person's, and shown to whoever watches", async () => {
    const rig = await greeted({ answers: ["Sure."] });
    rig.session.handle({ type: "person-joined" });
    await rig.passes(100);
    rig.personSays("I have unblocked your card.");
    await rig.passes(100);
    expect(rig.conversation.knownHistory.at(-1)).toMatchObject({
      role: "assistant",
      author: "person",
      content: "I have unblocked your card.",
    });
    const shown = rig.transport.notices.filter(({ type }) => type === "response").map(({ payload }) => payload);
    expect(shown.at(-1)).toMatchObject({ text: "I have unblocked your card.", author: "person", is_final: true });
  });

  it("[PERSON-5] has a question before the answer to it, whichever was recognised first", async () => {
    const rig = await greeted();
    rig.session.handle({ type: "person-joined" });
    await rig.passes(100);
    const endedMs = rig.clock.now();
    await rig.passes(100);
    await rig.says("yes", 200);
    rig.personSays("Is it the credit card?", endedMs);
    await rig.passes(100);
    const words = rig.conversation.knownHistory.slice(-2).map(({ content }) => content);
    expect(words).toEqual(["Is it the credit card?", "yes"]);
  });

  it("[PERSON-6] puts the caller on hold, who hears a sound and not the person", async () => {
    const rig = await greeted();
    rig.session.handle({ type: "person-joined" });
    await speaks(rig, 300);
    rig.session.handle({ type: "person-hold", isOnHold: true });
    await rig.passes(200);
    const before = rig.transport.frames.length;
    await speaks(rig, 9000);
    expect(loudFrames(rig, before)).toBe(0);
    expect(rig.transport.frames.length - before).toBeGreaterThan(440);
    expect(Math.max(...rig.transport.peaks.slice(before))).toBeGreaterThan(500);
    rig.session.handle({ type: "person-hold", isOnHold: false });
    await speaks(rig, 500);
    expect(loudFrames(rig, before)).toBeGreaterThan(15);
  });

  it("[PERSON-7] hands back to an agent that speaks first, and knows what was said and the notes", async () => {
    const rig = await greeted({ answers: ["I am back, and your card works again.", "You are welcome."] });
    rig.session.handle({ type: "person-joined" });
    await rig.says("my card is blocked", 900);
    await rig.passes(2000);
    rig.personSays("I have unblocked your card.");
    await rig.passes(100);
    rig.session.handle({ type: "person-left", notes: "Card unblocked, caller is happy." });
    await rig.passes(4000);
    expect(said(rig)).toEqual(["desk: I am back, and your card works again."]);
    const known =
      rig.model.requests
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join("\n") ?? "";
    for (const text of ["my card is blocked", "I have unblocked your card.", "Card unblocked, caller is happy."])
      expect(known).toContain(text);
    await rig.says("thank you", 600);
    await rig.passes(2000);
    expect(said(rig).at(-1)).toBe("desk: You are welcome.");
  });

  it("[PERSON-4] leaves no line of an operator for the agent to say", async () => {
    const rig = await greeted();
    rig.session.handle({ type: "person-joined" });
    rig.session.handle({ type: "line-given", text: "One moment.", lineId: "line-1" });
    await rig.passes(3000);
    expect(said(rig)).toEqual([]);
    expect(rig.published.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ line_id: "line-1", outcome: "not_said", reason: "agent_silent" }),
    );
  });

  it("[PERSON-8] is still there where the conversation continues on another host, and the agent does not greet", async () => {
    const sessionId = "session-0123456789";
    const first = await greeted({ sessionId });
    first.session.handle({ type: "person-joined" });
    first.conversation.setPerson({ subject: "ada", sinceMs: 1 });
    await first.conversation.flush();
    const { clock, state } = first;
    const rig = await startInMode(mode, { sessionId, clock, state, answers: ["Hello again."] });
    await rig.passes(15_000);
    expect(rig.said()).toEqual([]);
    await speaks(rig, 400);
    expect(loudFrames(rig, 0)).toBeGreaterThan(10);
    rig.session.handle({ type: "person-left" });
    await rig.passes(3000);
    expect(rig.said()).toEqual(["desk: Hello again."]);
  });

  it("[PERSON-4] is cut off by nothing but the agent's last words", async () => {
    const rig = await greeted();
    rig.session.handle({ type: "person-joined" });
    await speaks(rig, 300);
    rig.session.handle({ type: "farewell-requested", reason: "draining" });
    await rig.passes(4000);
    expect(said(rig)).toEqual(["desk: Goodbye."]);
    expect(rig.end()).toBe("draining");
  });
});
