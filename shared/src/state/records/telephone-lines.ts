/**
 * What a telephone service is to do with its calls that asks us for it, rather than being told: the answer that it waits for, the errand that
 * it is on, and the tokens with which it opens streams. By the service's own id of the call.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { CallOperations } from "../ports/call-operations.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { jsonOf, type Stored } from "../stored-json.ts";

const errand = z.object({
  kind: z.enum(["dial", "play", "digits", "hold"]),
  operation: z.string(),
  /** The service has said that it does it. */
  isAccepted: z.boolean(),
});
export type Errand = Stored<typeof errand>;

export interface TelephoneLines {
  /** The first instructions for a call stand, however many are given. True if these are they. */
  instruct(connectionId: string, instructions: string): Promise<boolean>;
  /** As soon as somebody has given them; undefined when the time is over. */
  instructions(connectionId: string, timeoutMs: number): Promise<string | undefined>;
  /** The service does something with the call for which it has taken the stream away. */
  beginErrand(connectionId: string, errand: Errand, forMs: number): Promise<void>;
  /** Unless it is over already: its end may be known before its beginning. */
  acceptErrand(connectionId: string, errand: Errand, forMs: number): Promise<void>;
  errandOf(connectionId: string): Promise<Errand | undefined>;
  /** Idempotent. */
  endErrand(connectionId: string): Promise<void>;
  /** For one stream of this call, which the service then opens. */
  issueToken(callId: string): Promise<string>;
  /** Whether a process, this one or another, has requested a stream of this call within the last seconds. */
  isOpening(callId: string): Promise<boolean>;
  /** The call that the token is for: once, for exactly one of any number of simultaneous calls. */
  takeToken(token: string): Promise<string | undefined>;
}

/** The service asks within seconds, or not at all. */
const instructionsMs = 120_000;
/** Longer than any phone rings before the call's stream is opened. */
const tokenMs = 15 * 60_000;
/** A service opens a stream within a second of being asked. */
const openingMs = 2000;

const stored = jsonOf(errand);

export function createTelephoneLines(
  records: KeyedRecords,
  waits: Pick<CallOperations, "settle" | "outcome">,
): TelephoneLines {
  const keyOf = (connectionId: string): string => `line:instructions:${connectionId}`;
  const errandKey = (connectionId: string): string => `line:errand:${connectionId}`;
  const operationOf = (connectionId: string) => ({ callId: connectionId, operationContext: "instructions" });
  return {
    async instruct(connectionId, instructions) {
      const first = await records.putIfAbsent(keyOf(connectionId), instructions, instructionsMs);
      await waits.settle(operationOf(connectionId), { ok: true });
      return first === undefined || first === instructions;
    },
    async instructions(connectionId, timeoutMs) {
      const known = await records.get(keyOf(connectionId));
      if (known !== undefined || timeoutMs === 0) return known;
      await waits.outcome(operationOf(connectionId), { timeoutMs });
      return records.get(keyOf(connectionId));
    },
    beginErrand: (connectionId, begun, forMs) => records.put(errandKey(connectionId), JSON.stringify(begun), forMs),
    async acceptErrand(connectionId, accepted, forMs) {
      const begun = JSON.stringify({ ...accepted, isAccepted: false } satisfies Errand);
      if ((await records.swap(errandKey(connectionId), begun, JSON.stringify(accepted))) === "swapped")
        await records.put(errandKey(connectionId), JSON.stringify(accepted), forMs);
    },
    async errandOf(connectionId) {
      const text = await records.get(errandKey(connectionId));
      return text === undefined ? undefined : stored.parse(text);
    },
    endErrand: (connectionId) => records.delete(errandKey(connectionId)),
    async issueToken(callId) {
      const token = randomBytes(24).toString("base64url");
      await records.put(`line:token:${token}`, callId, tokenMs);
      await records.put(`line:opening:${callId}`, "1", openingMs);
      return token;
    },
    isOpening: async (callId) => (await records.get(`line:opening:${callId}`)) !== undefined,
    takeToken: (token) => records.take(`line:token:${token}`),
  };
}
