/** What becomes of the lines of operators, in every mode. */
import { describe, expect, it } from "vitest";
import { bothModes, startInMode } from "../../testing/both-modes-rig.ts";
import type { BothModesOptions } from "../../testing/both-modes-rig.ts";

const line = "A colleague is looking into it, one moment please.";
const given = { type: "line-given", text: line, lineId: "line-1" } as const;

describe.each(bothModes)("in %s, a line of an operator", (mode) => {
  async function greeted(options: BothModesOptions = {}) {
    const rig = await startInMode(mode, options);
    await rig.passes(1500);
    return rig;
  }
  type Rig = Awaited<ReturnType<typeof greeted>>;
  const said = (rig: Rig) => rig.said().filter((words) => !/^\w+:\s+(…)?$/.test(words));
  /** What was heard to its end. */
  const whole = (rig: Rig) => said(rig).filter((words) => !words.endsWith("…"));
  const outcomes = ({ published }: Rig) =>
    published.flatMap(({ type, payload }) =>
      type === "event" && payload.name === "operator" && payload.outcome !== undefined ? [payload] : [],
    );

  it.each([0, 30, 100, 200])(
    "[PERSON-1a] is said after the answer to a caller who types %i ms after it was given",
    async (ms) => {
      const rig = await greeted({ answers: ["Ten dollars."] });
      rig.session.handle(given);
      await rig.passes(ms);
      rig.session.handle({ type: "whole-turn", text: "checking" });
      await rig.passes(8000);
      expect(whole(rig)).toEqual(["desk: Hello from desk.", "desk: Ten dollars.", `desk: ${line}`]);
      expect(outcomes(rig)).toMatchObject([{ action: "say", line_id: "line-1", outcome: "said" }]);
    },
  );

  it.each([0, 30, 100])(
    "[PERSON-1a] is said after the answer to a caller who speaks %i ms after it was given",
    async (ms) => {
      const rig = await greeted({ answers: ["Ten dollars."] });
      rig.session.handle(given);
      await rig.passes(ms);
      await rig.says("what is my balance please", 900);
      await rig.passes(9000);
      expect(whole(rig)).toEqual(["desk: Hello from desk.", "desk: Ten dollars.", `desk: ${line}`]);
      expect(outcomes(rig)).toMatchObject([{ action: "say", line_id: "line-1", outcome: "said" }]);
    },
  );

  it("[PERSON-1a] is said once the caller was answered, however often they speak before its first word, and in order", async () => {
    const rig = await greeted({ answers: ["One.", "Two.", "Three."] });
    rig.session.handle(given);
    rig.session.handle({ type: "line-given", text: "Thank you for waiting.", lineId: "line-2" });
    for (const text of ["first", "second", "third"]) {
      rig.session.handle({ type: "whole-turn", text });
      await rig.passes(1);
    }
    await rig.passes(12_000);
    expect(whole(rig).slice(-2)).toEqual([`desk: ${line}`, "desk: Thank you for waiting."]);
    expect(outcomes(rig)).toMatchObject([
      { line_id: "line-1", outcome: "said" },
      { line_id: "line-2", outcome: "said" },
    ]);
  });

  it("[PERSON-1b] that the caller interrupts twice after its first words is reported as interrupted", async () => {
    const rig = await greeted({ answers: ["Sure.", "Fine."] });
    rig.session.handle(given);
    await rig.passes(700);
    rig.session.handle({ type: "whole-turn", text: "wait" });
    await rig.passes(1800);
    rig.session.handle({ type: "whole-turn", text: "stop" });
    await rig.passes(7000);
    expect(whole(rig)).toEqual(["desk: Hello from desk.", "desk: Sure.", "desk: Fine."]);
    expect(outcomes(rig)).toMatchObject([{ line_id: "line-1", outcome: "interrupted" }]);
  });

  it("[PERSON-1b] of which the caller has heard the most is reported as interrupted, and is not said again", async () => {
    const rig = await greeted({ answers: ["Sure."] });
    rig.session.handle(given);
    await rig.passes(2200);
    rig.session.handle({ type: "whole-turn", text: "stop" });
    await rig.passes(6000);
    const cut = said(rig).at(1) ?? "";
    expect(cut.endsWith(" …")).toBe(true);
    expect(said(rig).slice(2)).toEqual(["desk: Sure."]);
    expect(outcomes(rig)).toMatchObject([{ line_id: "line-1", outcome: "interrupted" }]);
  });

  it("[PERSON-2] that the conversation does not come to is reported as not said, with the reason", async () => {
    const rig = await greeted({ answers: ["Ten dollars."] });
    rig.session.handle({ type: "farewell-requested", reason: "operator" });
    rig.session.handle(given);
    await rig.passes(6000);
    expect(rig.end()).toBe("operator");
    rig.session.handle({ ...given, lineId: "line-2" });
    expect(outcomes(rig)).toMatchObject([
      { line_id: "line-1", outcome: "not_said", reason: "conversation_ended", text: line },
      { line_id: "line-2", outcome: "not_said", reason: "conversation_ended", text: line },
    ]);
  });

  it("[PERSON-2] that was waiting when the caller left is reported as not said", async () => {
    const rig = await greeted({ answers: ["The first is a long sentence about many things."] });
    await rig.says("tell me", 400);
    await rig.passes(500);
    rig.session.handle(given);
    await rig.session.close("finished");
    expect(outcomes(rig)).toMatchObject([{ line_id: "line-1", outcome: "not_said", reason: "conversation_ended" }]);
  });

  it("[PERSON-2] for which no place is left in the queue is reported as not said", async () => {
    const rig = await greeted();
    for (let index = 1; index <= 12; index++)
      rig.session.handle({ type: "line-given", text: `Line ${index}.`, lineId: `line-${index}` });
    await rig.passes(100);
    expect(outcomes(rig)).toMatchObject([{ line_id: "line-12", outcome: "not_said", reason: "too_many_lines" }]);
  });

  it("[PERSON-3] is in the history as the operator's, unlike what the agent says by itself", async () => {
    const rig = await greeted({ answers: ["Sure."] });
    rig.session.handle(given);
    await rig.passes(6000);
    await rig.says("thanks");
    await rig.passes(2000);
    const spoken = rig.conversation.knownHistory.filter(({ role }) => role === "assistant");
    expect(spoken.map(({ content, author }) => [content, author])).toEqual([
      ["Hello from desk.", undefined],
      [line, "operator"],
      ["Sure.", undefined],
    ]);
  });
});
