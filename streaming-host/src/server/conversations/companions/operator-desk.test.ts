import { Buffer } from "node:buffer";
import {
  encodePersonAudio,
  listenInRenewalMs,
  operatorTopic,
  personAudioTopic,
  type OperatorCommand,
} from "@voice/shared/contracts/events/operator-command";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { createMemoryBroadcasts } from "@voice/shared/state/memory/broadcasts";
import type { SessionRecord } from "@voice/shared/state/ports/session-store";
import { newSession } from "@voice/shared/state/ports/session-store.contract";
import { describe, expect, it } from "vitest";
import type { Conversation } from "../../../session/conversation/conversation.ts";
import type { PeerEvent } from "../../../session/modes/peer-event.ts";
import { noRecorder } from "../../../session/recording/session-recorder.ts";
import { OperatorDesk } from "./operator-desk.ts";

function rig(storedPerson?: SessionRecord["person"]) {
  const clock = new VirtualClock();
  const broadcasts = createMemoryBroadcasts(silentLogger);
  const handled: PeerEvent[] = [];
  const told: unknown[] = [];
  const desk = new OperatorDesk({ state: { broadcasts }, clock, logger: silentLogger }, (sessionId) =>
    sessionId === "session-1" ? { handle: (event) => void handled.push(event) } : undefined,
  );
  const persons: SessionRecord["person"][] = [];
  const conversation: Pick<Conversation, "record" | "setPerson"> = {
    record: { ...newSession("session-1", 0), lastActivityAtMs: 0, version: 1, person: storedPerson },
    setPerson: (person) => void persons.push(person),
  };
  const { end } = desk.attend({
    sessionId: "session-1",
    sampleRateHz: 16_000,
    recorder: noRecorder,
    conversation,
    notices: {
      publish: ({ payload }) => void told.push(payload),
      repeatState: async () => void told.push("its state"),
      store: async () => undefined,
    },
  });
  const command = (wish: OperatorCommand): void => broadcasts.send(operatorTopic, JSON.stringify(wish));
  const speak = (subject: string, ...samples: number[]): void =>
    broadcasts.send(
      personAudioTopic("session-1"),
      encodePersonAudio(subject, Buffer.from(Int16Array.from(samples).buffer).toString("base64")),
    );
  return { clock, command, handled, told, end, persons, speak };
}

describe("the operators' desk", () => {
  it("[OPS-4] has the call transferred as an agent would, and tells those who watch", () => {
    const { command, handled, told } = rig();
    command({ type: "transfer", sessionId: "session-1", target: "+12025550186" });
    expect(handled).toMatchObject([{ type: "effect-requested", effect: { type: "transfer", target: "+12025550186" } }]);
    expect(told).toEqual([{ name: "operator", action: "transfer" }]);
  });

  it("[OPS-5] ends a conversation whose session was reset or deleted, and calls that no operator's wish", () => {
    const { command, handled, told } = rig();
    command({ type: "end", sessionId: "session-1" });
    command({ type: "end", sessionId: "session-1", reason: "reset" });
    expect(handled).toEqual([
      { type: "farewell-requested", reason: "operator" },
      { type: "farewell-requested", reason: "reset" },
    ]);
    expect(told).toEqual([{ name: "operator", action: "end" }]);
  });

  it("[HS-10b] says what the agent is doing to somebody who begins to watch, and asks nothing of the conversation", () => {
    const { command, handled, told } = rig();
    command({ type: "watch", sessionId: "session-1" });
    expect([handled, told]).toEqual([[], ["its state"]]);
  });

  it("leaves the conversations of other hosts, and those that are over, alone", () => {
    const { command, handled, told, end } = rig();
    command({ type: "end", sessionId: "session-2" });
    end();
    command({ type: "say", sessionId: "session-1", text: "Hello?" });
    expect([handled, told]).toEqual([[], []]);
  });
});

describe("a person who takes a conversation over", () => {
  const take = { type: "take_over", sessionId: "session-1", subject: "ada" } as const;
  const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

  it("[PERSON-4] is stored with the session, heard, and alone with the caller", async () => {
    const { clock, command, handled, told, persons, speak } = rig();
    command(take);
    command({ ...take, subject: "bob" });
    await settled();
    speak("ada", 1, 2);
    speak("bob", 3, 4);
    expect(persons).toEqual([{ subject: "ada", sinceMs: clock.wallNow() }]);
    expect(told).toEqual([{ name: "operator", action: "take_over" }]);
    expect(handled).toEqual([{ type: "person-joined" }, { type: "person-audio", samples: Int16Array.from([1, 2]) }]);
  });

  it("[PERSON-6] [PERSON-7] holds the caller, presses keys, and hands back with notes, after which nobody hears them", async () => {
    const { command, handled, told, persons, speak } = rig();
    command(take);
    command({ type: "hold", sessionId: "session-1", isOnHold: true });
    command({ type: "keys", sessionId: "session-1", digits: "12#" });
    command({ type: "hand_back", sessionId: "session-1", notes: "The card is blocked." });
    await settled();
    speak("ada", 1, 2);
    command({ type: "hand_back", sessionId: "session-1" });
    expect(handled.slice(1)).toEqual([
      { type: "person-hold", isOnHold: true },
      { type: "effect-requested", effect: { type: "send-dtmf", digits: "12#" } },
      { type: "person-left", notes: "The card is blocked." },
    ]);
    expect(persons.at(-1)).toBeUndefined();
    expect(told.slice(1)).toMatchObject([{ action: "hold" }, { action: "keys" }, { action: "hand_back" }]);
  });

  it("[PERSON-8] is gone after three renewals of their page that did not come, and the agent has the conversation again", () => {
    const { clock, command, handled, told } = rig();
    command(take);
    for (let renewal = 0; renewal < 5; renewal++) {
      clock.advance(listenInRenewalMs);
      command({ type: "listen", sessionId: "session-1", subject: "ada" });
    }
    command({ type: "listen", sessionId: "session-1", subject: "bob" });
    clock.advance(3 * listenInRenewalMs - 1);
    expect(handled).toHaveLength(1);
    clock.advance(1);
    expect(handled.at(-1)).toEqual({ type: "person-left", notes: "The connection of the colleague was lost." });
    expect(told.slice(1)).toMatchObject([{ action: "person_lost" }, { action: "hand_back" }]);
  });

  it("[PERSON-8] is heard by the next host, which has the conversation from the store", async () => {
    const { handled, persons, speak } = rig({ subject: "ada", sinceMs: 5 });
    await settled();
    speak("ada", 7, 8);
    expect(persons).toEqual([]);
    expect(handled).toEqual([{ type: "person-audio", samples: Int16Array.from([7, 8]) }]);
  });
});
