import type { BilledNames } from "@voice/shared/costs/billed-names";
import { createPrices } from "@voice/shared/costs/prices";
import { totalCost, usageEntries } from "@voice/shared/costs/usage";
import type { Usage } from "@voice/shared/costs/usage";
import type { SessionStore } from "@voice/shared/state/ports/session-store";
import type { State } from "@voice/shared/state/ports/state";
import { expect, it } from "vitest";
import { conversationsRig } from "../../../testing/conversations-rig.ts";
import { EchoModel } from "../../../testing/echo-model.ts";
import { FakeRecogniser } from "../../../testing/fake-recogniser.ts";
import { FakeSynthesiser } from "../../../testing/fake-synthesiser.ts";
import { RecordedTelemetry } from "../../../testing/recorded-telemetry.ts";
import type { ConversationsRigOptions } from "../../../testing/conversations-rig.ts";
import { countedSynthesiser } from "../../../pipeline/speaking/counted-synthesiser.ts";

const prices = createPrices("USD", [
  { part: "language_model", models: ["gpt-x"], per_million_tokens: { input: 1, output: 1 } },
  { part: "telephony", models: ["phone-inbound"], per_minute: 0.6 },
]);

function rigOf(
  given: ConversationsRigOptions = {},
  billed: BilledNames = { languageModel: "gpt-x", synthesis: () => "voice" },
) {
  const telemetry = new RecordedTelemetry();
  const first = conversationsRig(given);
  const providers = {
    recogniser: new FakeRecogniser(),
    synthesiser: countedSynthesiser(new FakeSynthesiser(first.clock, 1)),
    languageModel: new EchoModel(),
    createVoiceActivityDetector: () => ({ isSpeech: () => false, close: () => undefined }),
    billed,
  };
  const options = { providers, prices, telemetry, ...given.options };
  const rig = conversationsRig({ ...given, clock: first.clock, state: first.state, options });
  return { ...rig, telemetry };
}

async function stored(state: State, sessionId: string): Promise<Usage> {
  const record = await state.sessions.get(sessionId);
  return typeof record === "string" ? {} : (record.usage ?? {});
}

/** What a host that has died still writes reaches nobody. */
function ofMortalHost(store: SessionStore, life: { readonly isOver: boolean }): SessionStore {
  const never = new Promise<never>(() => undefined);
  return {
    create: (session) => store.create(session),
    get: (id) => store.get(id),
    update: (id, version, patch) => (life.isOver ? never : store.update(id, version, patch)),
    appendTurn: (id, turn) => (life.isOver ? never : store.appendTurn(id, turn)),
    keepAlive: (living) => store.keepAlive(living),
    history: (id) => store.history(id),
    metrics: (id) => store.metrics(id),
    list: (query) => store.list(query),
    delete: (id) => store.delete(id),
  };
}

const onCall = (connectedAtMs: number) =>
  ({
    channel: "phone",
    sessionId: "session-of-a-call",
    billedCall: { direction: "inbound", connectedAtMs },
  }) as const;

it("[COST-6] usage is stored with each turn and with the conversation, by part and agent", async () => {
  const rig = rigOf();
  const browser = await rig.connect({ sessionId: "session-costs" });
  await rig.pass(2000);
  browser.type("what is my balance");
  await rig.pass(3000);
  const [turn] = await rig.state.sessions.metrics("session-costs");
  expect(usageEntries(turn?.usage ?? {}).map(({ part, agent }) => `${part} of ${agent}`)).toEqual([
    "synthesis of front-desk",
    "language_model of front-desk",
  ]);
  browser.leave();
  await rig.pass(1000);
  const usage = await stored(rig.state, "session-costs");
  expect(usageEntries(usage).map(({ part, model, cost }) => [part, model, cost !== undefined])).toEqual([
    ["synthesis", "voice", false],
    ["language_model", expect.any(String), expect.any(Boolean)],
  ]);
  expect(totalCost(usage).isComplete).toBe(false);
});

it("[COST-3] a conversation whose parts are all on this machine costs nothing", async () => {
  const rig = rigOf({ options: { prices } }, {});
  const browser = await rig.connect({ sessionId: "session-local" });
  await rig.pass(2000);
  browser.type("hello");
  await rig.pass(3000);
  expect(await stored(rig.state, "session-local")).toEqual({});
});

it("[COST-7b] the time of a call goes on counting where another host takes the call over, with the seconds in between", async () => {
  const { state, clock } = conversationsRig();
  const life = { isOver: false };
  const dead = rigOf({ clock, state: { ...state, sessions: ofMortalHost(state.sessions, life) } });
  const connectedAtMs = dead.clock.wallNow();
  const call = await dead.connect(onCall(connectedAtMs));
  await dead.pass(2000);
  call.type("what is my balance");
  await dead.pass(3000);
  const before = totalCost(await stored(dead.state, "session-of-a-call")).cost?.amount ?? 0;
  expect(before).toBeGreaterThan(0);
  life.isOver = true;
  await dead.pass(5000);
  const next = rigOf({ clock, state, hostId: "host-2" });
  const again = await next.connect(onCall(connectedAtMs));
  await next.pass(2000);
  again.type("and my card");
  await next.pass(3000);
  again.leave();
  await next.pass(1000);
  const usage = await stored(next.state, "session-of-a-call");
  const seconds = usageEntries(usage).find(({ part }) => part === "telephony")?.quantities.call_seconds;
  expect(seconds).toBeCloseTo((next.clock.wallNow() - connectedAtMs) / 1000, -0.5);
  expect(totalCost(usage).cost?.amount).toBeGreaterThan(before);
});

it("[COST-9] usage is measured by mode, channel, agent, part and model", async () => {
  const rig = rigOf();
  await rig.connect(onCall(rig.clock.wallNow()));
  await rig.pass(4000);
  const { counts } = rig.telemetry;
  expect(counts).toContainEqual(
    expect.stringMatching(/^voice\.usage\.calls [\d.]+ REALTIME phone front-desk telephony phone-inbound$/),
  );
  expect(counts).toContainEqual(
    expect.stringMatching(/^voice\.cost [\d.]+ REALTIME phone front-desk telephony phone-inbound USD$/),
  );
  expect(counts).toContainEqual(
    expect.stringMatching(/^voice\.cost\.unpriced \d+ REALTIME phone front-desk synthesis voice$/),
  );
});
