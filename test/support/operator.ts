/** An operator with a microphone at a running service: takes a conversation over, speaks in it, and hands it back (PERSON). */
import type { HistoryItem } from "@voice/shared/state/ports/session-store";
import { expect } from "vitest";
import type { Service } from "../../local/service.ts";
import { spokenLine } from "./speech-engines.ts";
import { bytesOf, dial } from "./socket-client.ts";
import { passTime, testClock } from "./test-clock.ts";
import { eventually } from "./wait.ts";

const sampleRateHz = 16_000;
const pieceSamples = sampleRateHz / 50;
/** An open microphone goes on after the words, which is how the recogniser knows that they are complete. */
const silenceAfterMs = 1500;
/** Not the agents'. */
const voice = "rms";

export interface Operator extends Disposable {
  /** Of one of the conversation's endpoints, such as `hold`. */
  request(what: string, body?: object): Promise<void>;
  /** Resolves when the conversation is stored as a person's. */
  takeOver(): Promise<void>;
  /** At the pace of speech; resolves when it has been sent. */
  say(text: string): Promise<void>;
  /** Resolves when the conversation has this item. */
  reads(item: Pick<HistoryItem, "role" | "content"> & Partial<HistoryItem>): Promise<void>;
}

export async function connectOperator({ port, state }: Service, sessionId: string): Promise<Operator> {
  const client = await dial(`ws://127.0.0.1:${port}/api/v1/realtime/listen?session_id=${sessionId}`);
  const request: Operator["request"] = async (what, body = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/sessions/${sessionId}/${what}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 202 });
  };
  return {
    request,
    async takeOver() {
      await request("takeover");
      await eventually(async () => {
        const session = await state.sessions.get(sessionId);
        return typeof session !== "string" && session.person !== undefined;
      }, "a person has the conversation");
    },
    async say(text) {
      const words = await spokenLine({ text, voice, sampleRateHz });
      const samples = new Int16Array(words.length + (sampleRateHz * silenceAfterMs) / 1000);
      samples.set(words);
      const beganMs = testClock.now();
      for (let at = 0; at < samples.length; at += pieceSamples) {
        await passTime(beganMs + (at * 1000) / sampleRateHz - testClock.now());
        client.send(bytesOf(samples.subarray(at, at + pieceSamples)));
      }
    },
    async reads(item) {
      let read: readonly HistoryItem[] = [];
      await eventually(
        async () => {
          read = await state.sessions.history(sessionId);
          expect(read).toContainEqual(expect.objectContaining(item));
          return true;
        },
        () => `the conversation has ${JSON.stringify(item)}, and not just ${JSON.stringify(read)}`,
      );
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}
