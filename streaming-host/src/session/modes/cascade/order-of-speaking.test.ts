import { expect, it } from "vitest";
import { greetingMs, startCascadeRig as rig } from "../../../testing/cascade-rig.ts";

it("[HIST-6] words stand before their answer, once, although the recogniser settles them after it", async () => {
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

it("[HIST-6] an answer that typed text interrupts stands where its own turn began, and not where that of the text did", async () => {
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

const goodbye = { type: "last-words", text: "We close now. Thank you for calling.", reason: "draining" } as const;

it("[HIST-6] words that began before the goodbye stand before it, although they were recognised during it", async () => {
  const { recogniser, listen, state, conversation, session } = await rig();
  await listen(greetingMs + 100);
  await listen(400, true);
  session.handle(goodbye);
  await listen(200, true);
  recogniser.last.final("my card is lost");
  await listen(4000);
  await session.close("draining");
  const history = await state.sessions.history(conversation.sessionId);
  expect(history.map(({ role, content }) => [role, content])).toEqual([
    ["assistant", "Hello from desk."],
    ["user", "my card is lost"],
    ["assistant", goodbye.text],
  ]);
});

it("[HIST-6] words that began during the goodbye stand after it", async () => {
  const { recogniser, listen, state, conversation, session } = await rig();
  await listen(greetingMs + 100);
  await listen(400, true);
  session.handle(goodbye);
  await listen(300);
  recogniser.last.final("");
  await listen(200, true);
  recogniser.last.final("my card is lost");
  await listen(4000);
  await session.close("draining");
  const history = await state.sessions.history(conversation.sessionId);
  expect(history.map(({ role }) => role)).toEqual(["assistant", "assistant", "user"]);
});
