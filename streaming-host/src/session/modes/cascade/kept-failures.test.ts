import { VoiceError } from "@voice/shared/platform/errors";
import { expect, it } from "vitest";
import { greetingMs, startCascadeRig as rig } from "../../../testing/cascade-rig.ts";

it("[OPS-9] keeps with the session what the socket was told of failures, the last 20 of them", async () => {
  const { session, listen, conversation, state, clock } = await rig({
    answers: [new VoiceError("rate_limited", "secret words", { reason: "the endpoint answered 429" })],
  });
  await listen(greetingMs + 100);
  session.handle({ type: "whole-turn", text: "hello" });
  await listen(1000);
  await conversation.flush();
  const message = "The agent could not answer (the endpoint answered 429); it will say so.";
  const kept = async () => {
    const record = await state.sessions.get(conversation.sessionId);
    return typeof record === "string" ? [] : (record.failures ?? []);
  };
  expect(await kept()).toMatchObject([{ code: "rate_limited", message }]);
  for (let second = 0; second < 30; second++)
    conversation.noteFailure({ code: "upstream_timeout", message, timestampMs: clock.wallNow() + second });
  await conversation.flush();
  expect((await kept()).map(({ code }) => code)).toEqual(Array.from({ length: 20 }, () => "upstream_timeout"));
});

it.each([
  ["the language model", { answers: [{ hangs: true }] as const }],
  ["the tool look_up", { answers: [{ calls: [{ name: "look_up" }] }], toolMs: 60_000 }],
])("[FAIL-1] says that nothing came from %s when the caller heard nothing for too long", async (what, options) => {
  const { session, listen, transport } = await rig(options);
  await listen(greetingMs + 100);
  session.handle({ type: "whole-turn", text: "what is my balance" });
  await listen(12_000);
  expect(transport.notices.find(({ type }) => type === "error")?.payload).toEqual({
    code: "upstream_timeout",
    message: `The agent could not answer (nothing came from ${what} in time); it will say so.`,
  });
});

it("[TIMELINE-3] counts a tool that could not do its work among the failures, and none that has answered no", async () => {
  const said = { success: false, error: "no_such_account" };
  const { session, listen, conversation, state } = await rig({
    answers: [{ calls: [{ name: "look_up" }, { name: "check" }] }, "Sorry."],
    tools: ({ name }) =>
      name === "check"
        ? { status: "error", result: said }
        : { status: "error", result: { success: false, error: "http_500", message: "secret" }, isFault: true },
  });
  await listen(greetingMs + 100);
  session.handle({ type: "whole-turn", text: "what is my balance" });
  await listen(2000);
  await conversation.flush();
  const record = await state.sessions.get(conversation.sessionId);
  expect(typeof record === "string" ? [] : record.failures).toMatchObject([
    { code: "tool_failed", message: "The tool look_up failed: http 500." },
  ]);
});

it("[OPS-9] keeps that the agent has lost its voice", async () => {
  const { synthesiser, listen, session, state, conversation } = await rig({ answers: ["Fine."] });
  await listen(greetingMs + 100);
  synthesiser.failure = new VoiceError("upstream_unavailable", "no voice");
  session.handle({ type: "whole-turn", text: "hello" });
  await listen(5000);
  await conversation.flush();
  const record = await state.sessions.get(conversation.sessionId);
  expect(typeof record === "string" ? [] : record.failures?.at(-1)).toMatchObject({
    code: "upstream_unavailable",
    message: "The agent has lost its voice.",
  });
});
