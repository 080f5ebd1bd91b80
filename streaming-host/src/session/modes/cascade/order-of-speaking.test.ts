import { expect, it } from "vitest";
import { greetingMs, startCascadeRig as rig } from "../../../testing/cascade-rig.ts";

it("[HIST-6] has words before their answer, once, although the recogniser settles them after it", async () => {
  const { recogniser, listen, state, conversation, session } = await rig({ answers: ["Ten dollars.", "Goodbye."] });
  await listen(greetingMs + 100);
  await listen(1000, true);
  recogniser.last.partial("what is my balance");
  await listen(8000);
  recogniser.last.final("what is my balance");
  await listen(1000, true);
  recogniser.last.final("thank you");
  await listen(3000);
  await session.close("finished");
  const history = await state.sessions.history(conversation.sessionId);
  expect(history.map(({ content }) => content)).toEqual([
    "Hello from desk.",
    "what is my balance",
    "Ten dollars.",
    "thank you",
    "Goodbye.",
  ]);
});

it("[HIST-6] has an answer that typed text interrupts where its own turn began, and not where that of the text did", async () => {
  const answers = ["One two three four five six seven eight nine ten.", "Stopped."];
  const { transport, listen, state, conversation, session } = await rig({ answers });
  await listen(greetingMs + 100);
  session.handle({ type: "whole-turn", text: "count for me" });
  await listen(1500);
  session.handle({ type: "whole-turn", text: "stop" });
  await listen(3000);
  await session.close("finished");
  expect(transport.heard[1]).toMatchObject({ interrupted: true });
  const history = await state.sessions.history(conversation.sessionId);
  const places = history.map(({ begunAtMs = Number.NaN }) => begunAtMs);
  expect(history.map(({ role, turnId }) => `${role} ${turnId}`)).toEqual([
    "assistant turn-1",
    "user turn-2",
    "assistant turn-2",
    "user turn-3",
    "assistant turn-3",
  ]);
  expect([places[2], places[4]]).toEqual([places[1], places[3]]);
  expect((places[3] ?? 0) - (places[1] ?? 0)).toBeGreaterThanOrEqual(1500);
});
