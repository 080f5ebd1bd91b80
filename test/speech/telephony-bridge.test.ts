/**
 * Calls through a telephony platform with the whole service, speech that is spoken, and recognised by what remembers it, and a
 * realtime model over its own protocol. The platform takes the protocol as strictly as the vendor's client.
 */
import { startLocalRealtimeService } from "@voice/local/realtime-service";
import type { RealtimeService } from "@voice/local/realtime-service";
import { returned } from "@voice/local-voice/rule-model/hand-back";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCatalog } from "../support/built-in-catalog.ts";
import type { PhoneEvent, PhoneScript } from "../../local/phone/phone-script.ts";
import { connectOperator } from "../support/operator.ts";
import { servicesSpeech } from "../support/speech-engines.ts";
import { startTcpBalancer } from "../support/tcp-balancer.ts";
import type { TcpBalancer } from "../support/tcp-balancer.ts";
import { passTime, testClock } from "../support/test-clock.ts";
import { eventually } from "../support/wait.ts";
import { eventsOf, startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";

const key = { apiKey: "bG9jYWw=", secret: Buffer.from("a secret of the platform").toString("base64") };

let realtime: RealtimeService;
/** Between the platform and the service. */
let network: TcpBalancer;
let rig: PhoneRig;

beforeAll(async () => {
  const catalog = await builtInCatalog();
  realtime = await startLocalRealtimeService([...catalog.agents.values()], testClock, servicesSpeech);
  const ports: number[] = [];
  network = await startTcpBalancer(ports);
  rig = await startPhoneRig(
    { platformKey: key, streamingHostUrl: `ws://127.0.0.1:${network.port}` },
    { ...realtime.environment, TELEPHONY_API_KEY: key.apiKey, TELEPHONY_CLIENT_SECRET: key.secret },
  );
  ports.push(rig.service.port);
});

afterAll(async () => {
  await network.close();
  await rig.close();
  await realtime.close();
});

/** Calls, and gives back what the phone heard and what was stored. The platform's complaints are failures of the call. */
async function call(script: PhoneScript, onEvent?: (event: PhoneEvent) => Promise<void>) {
  const phone = await rig.network.callThroughPlatform(script, (event) => void onEvent?.(event));
  const { sessions } = rig.service.state;
  const [latest] = (await sessions.list({ limit: 1, offset: 0 })).sessions;
  if (latest === undefined) expect.fail("no session was stored");
  await eventually(async () => {
    const record = await sessions.get(latest.sessionId);
    return typeof record !== "string" && record.status === "ended";
  }, "the conversation is over");
  const history = await sessions.history(latest.sessionId);
  const spoken = history.filter(({ role, content }) => role !== "tool" && content !== "");
  return { phone, record: latest, history: spoken };
}

describe("a call through a telephony platform", () => {
  it("[HOOK-6] [HOOK-10] [RT-30] greets, understands what is said, and hands over to another agent, who greets too", async () => {
    const { phone, record, history } = await call({
      actions: [
        { kind: "say", text: "I want to check my balance" },
        { kind: "say", text: "I lost my card" },
      ],
    });
    expect(record).toMatchObject({ channel: "telephony", streamingMode: "VOICE_LIVE" });
    expect(history.map(({ role, agent, content }) => `${role} (${agent}): ${content}`)).toEqual([
      expect.stringContaining("assistant (front-desk): Thank you for calling Harbor Bank"),
      "user (front-desk): i want to check my balance",
      "assistant (front-desk): Sure. Checking or savings?",
      "user (front-desk): i lost my card",
      "assistant (front-desk): I am connecting you to our card team.",
      "assistant (card-specialist): This is the card team. Is it your credit card or your debit card?",
    ]);
    const heard = eventsOf("heard", phone.events);
    expect(heard).toHaveLength(3);
    // The greeting is whole: about seven seconds of speech, played at the right speed.
    expect(heard[0]?.forMs).toBeGreaterThan(5000);
    expect(heard[0]?.forMs).toBeLessThan(10_000);
  });

  it("[HOOK-11] stops speaking when the caller does, and keeps only what was heard", async () => {
    const { history } = await call({
      actions: [
        { kind: "say", text: "I lost my card" },
        { kind: "say", text: "I want to check my balance" },
      ],
      interruptAfterMs: 600,
    });
    const cut = history.find(({ interrupted }) => interrupted);
    expect(cut?.role).toBe("assistant");
    expect(cut?.content).not.toContain("debit card?");
  });

  it("[PERSON-4] [PERSON-5] [PERSON-6] [PERSON-7] goes on while a person has it, who hands it back", async () => {
    const greeted = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const served = Promise.withResolvers<void>();
    async function* typed() {
      await taken.promise;
      yield { kind: "say", text: "I lost my card" } as const;
      await served.promise;
    }
    const calling = call({ actions: [], typed: typed() }, async ({ kind }) => {
      if (kind === "heard") greeted.resolve();
    });
    await greeted.promise;
    const [current] = (await rig.service.state.sessions.list({ limit: 1, offset: 0 })).sessions;
    using operator = await connectOperator(rig.service, current?.sessionId ?? expect.fail("no session was stored"));

    await operator.takeOver();
    taken.resolve();
    await operator.reads({ role: "user", content: "i lost my card" });
    await operator.say("I want to check my balance");
    await operator.reads({ role: "assistant", content: "i want to check my balance", author: "person" });
    await operator.request("hold", { on: true });
    await operator.say("what can you do"); // which the caller does not hear
    await operator.request("hold", { on: false });
    await operator.request("handback", { notes: "The card is blocked." });
    await operator.reads({ role: "assistant", content: returned });
    served.resolve();
    const { phone, history } = await calling;
    expect(history.slice(1).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "user: i lost my card", // which no agent answers
      "assistant: i want to check my balance",
      expect.stringContaining("system: The colleague hands the conversation back"),
      `assistant: ${returned}`,
    ]);
    // The person answers the caller, as the phone hears it.
    expect(eventsOf("heard", phone.events)).toHaveLength(2);
  });

  it("[TURN-15c] understands a sentence whose middle the network has held back", async () => {
    const { history } = await call(
      { actions: [{ kind: "say", text: "I want to check my balance" }] },
      async ({ kind }) => {
        if (kind !== "said") return;
        await passTime(800);
        network.stall();
        await passTime(1500);
        network.flow();
      },
    );
    expect(history.slice(1).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "user: i want to check my balance",
      "assistant: Sure. Checking or savings?",
    ]);
  });
});
