/**
 * What a telephone service is to do with its calls that asks us for it, rather than being told: the answer that it waits for, the errand that
 * it is on, and the tokens with which it opens streams. By the service's own id of the call.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { CallOperations } from "../ports/call-operations.ts";
import type { KeyedRecords } from "../ports/keyed-records.ts";
import { readerOf, type Stored } from "../stored-json.ts";

const errand = z.object({
  kind: z.enum(["dial", "play", "digits", "hold"]),
  operation: z.string(),
  /** The service has said that it does it. */
  isAccepted: z.boolean(),
});
export type Errand = Stored<typeof errand>;

export type TelephoneLines = ReturnType<typeof createTelephoneLines>;

/** The service requests its instructions within seconds, or not at all. */
const instructionsMs = 120_000;
/** Longer than any phone rings before the call's stream is opened. */
const tokenMs = 15 * 60_000;
/** A service opens a stream within a second of the request. */
const openingMs = 2000;

const readErrand = readerOf(errand);

export function createTelephoneLines(records: KeyedRecords, waits: Pick<CallOperations, "settle" | "outcome">) {
  const keyOf = (connectionId: string): string => `line:instructions:${connectionId}`;
  const errandKey = (connectionId: string): string => `line:errand:${connectionId}`;
  const operationOf = (connectionId: string) => ({ callId: connectionId, operationContext: "instructions" });
  return {
    /** The first instructions for a call stand, however many are given. True if these are they. */
    async instruct(connectionId: string, instructions: string): Promise<boolean> {
      const first = await records.putIfAbsent(keyOf(connectionId), instructions, instructionsMs);
      await waits.settle(operationOf(connectionId), { ok: true });
      return first === undefined || first === instructions;
    },
    /** Resolves as soon as there are instructions; undefined after the time-out. */
    async instructions(connectionId: string, timeoutMs: number): Promise<string | undefined> {
      const known = await records.get(keyOf(connectionId));
      if (known !== undefined || timeoutMs === 0) return known;
      await waits.outcome(operationOf(connectionId), { timeoutMs });
      return records.get(keyOf(connectionId));
    },
    /** The service does something with the call for which it has taken the stream away. */
    beginErrand: (connectionId: string, begun: Errand, forMs: number) =>
      records.put(errandKey(connectionId), JSON.stringify(begun), forMs),
    /** Unless it is over already: its end may be known before its beginning. */
    async acceptErrand(connectionId: string, accepted: Errand, forMs: number): Promise<void> {
      const begun = JSON.stringify({ ...accepted, isAccepted: false } satisfies Errand);
      if ((await records.swap(errandKey(connectionId), begun, JSON.stringify(accepted))) === "swapped")
        await records.put(errandKey(connectionId), JSON.stringify(accepted), forMs);
    },
    errandOf: async (connectionId: string) => readErrand(await records.get(errandKey(connectionId))),
    /** Idempotent. */
    endErrand: (connectionId: string) => records.delete(errandKey(connectionId)),
    /** For one stream of this call, which the service then opens. */
    async issueToken(callId: string): Promise<string> {
      const token = randomBytes(24).toString("base64url");
      await records.put(`line:token:${token}`, callId, tokenMs);
      await records.put(`line:opening:${callId}`, "1", openingMs);
      return token;
    },
    /** Whether a process, this one or another, has requested a stream of this call within the last seconds. */
    isOpening: async (callId: string) => (await records.get(`line:opening:${callId}`)) !== undefined,
    /** The call that the token is for: once, for exactly one of any number of simultaneous calls. */
    takeToken: (token: string) => records.take(`line:token:${token}`),
  };
}
