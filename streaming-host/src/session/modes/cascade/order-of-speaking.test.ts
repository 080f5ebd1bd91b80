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
