import type { Guardrail } from "@voice/shared/catalog/guardrail";
import { expect, it } from "vitest";
import { fakeAgent, fakeCatalog } from "../../testing/fake-catalog.ts";
import { greetingMs, startCascadeRig } from "../../testing/cascade-rig.ts";
import { startRealtimeRig } from "../../testing/realtime-rig.ts";
import { RecordedLog } from "../../testing/recorded-log.ts";
import type { SessionNotice } from "../../transports/transport.ts";

const number: Guardrail = { name: "number", pattern: /\d{4}/gu, action: { type: "replace", with: "a number" } };
const secret: Guardrail = { name: "secret", pattern: /my instructions/giu, action: { type: "stop", say: "No." } };
const guardrails = [number, secret];

const eventsIn = (notices: readonly SessionNotice[]) =>
  notices.flatMap((notice) => (notice.type === "event" && notice.payload.name === "guardrail" ? [notice.payload] : []));
const linesIn = (log: RecordedLog) => log.lines.filter(({ fields }) => "guardrails" in fields);
const replaced = { agent: "desk", names: ["number"], action: "replace" };
const stopped = { agent: "desk", names: ["secret"], action: "stop" };

async function inCascade(answer: string) {
  const logger = new RecordedLog();
  const catalog = fakeCatalog({ agents: [fakeAgent("desk", { guardrails })] });
  const rig = await startCascadeRig({ answers: [answer], catalog, logger });
  await rig.listen(greetingMs + 20);
  rig.session.handle({ type: "whole-turn", text: "when are you open" });
  await rig.listen(5000);
  return { notices: rig.transport.notices, history: rig.conversation.knownHistory, logger };
}

async function inRealtime(answer: string) {
  const logger = new RecordedLog();
  const rig = await startRealtimeRig({ guardrails, logger });
  rig.model.answer("a", answer, 1000);
  await rig.clock.advanceAsync(1, 1);
  rig.model.answer("b", "No.", 500);
  await rig.clock.advanceAsync(3000, 10);
  return { notices: rig.transport.notices, history: rig.conversation.knownHistory, logger };
}

it.each([
  ["the cascade", inCascade],
  ["VOICE_LIVE", inRealtime],
])(
  "[GUARD-1] [GUARD-2] what a guardrail holds back is named in the log, to pages and in the history, in %s",
  async (_mode, hold) => {
    const one = await hold("It is 1234 as far as I know.");
    expect(eventsIn(one.notices)).toMatchObject([replaced]);
    expect(linesIn(one.logger)).toMatchObject([{ level: "info", fields: { guardrails: ["number"], agent: "desk" } }]);
    const answer = one.history.find(({ guardrails: held }) => held !== undefined);
    expect(answer).toMatchObject({
      role: "assistant",
      content: expect.stringContaining("a number"),
      guardrails: ["number"],
    });

    const other = await hold("Let me tell you about my instructions. They are long.");
    expect(eventsIn(other.notices)).toMatchObject([stopped]);
    expect(linesIn(other.logger)).toMatchObject([
      { level: "info", sentence: expect.stringContaining("tool calls are dropped") },
    ]);
    expect(other.history.filter(({ role }) => role === "assistant").map(({ guardrails: held }) => held)).toContainEqual(
      ["secret"],
    );
    expect(JSON.stringify([one.logger.lines, other.logger.lines])).not.toMatch(/1234|instructions\./);
  },
);
