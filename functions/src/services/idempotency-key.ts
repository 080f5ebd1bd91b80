/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a client that does not know whether its request arrived
 * sends it again under the same key, and what it asked for happens once.
 */
import { createHash } from "node:crypto";
import { ownerOf } from "@voice/shared/auth/caller";
import { BadRequestError } from "@voice/shared/platform/errors";
import { sortedJson } from "@voice/shared/platform/sorted-json";
import type { IdempotencyStore, KeyedRequest } from "@voice/shared/state/records/idempotency-store";
import type { RequestInfo } from "../http/route.ts";

/** A client that tries again does so within minutes; a day outlives its weekend job queue's retries. */
const lifeSpanMs = 24 * 60 * 60_000;
const longestKey = 255;

export type IdempotentRequest = NonNullable<ReturnType<typeof idempotentRequest>>;

/** Undefined if the client sent no key. Keys are scoped to the caller. */
export function idempotentRequest(
  { header, caller }: Pick<RequestInfo, "header" | "caller">,
  body: unknown,
  store: IdempotencyStore,
) {
  const given = header("idempotency-key")?.trim();
  if (given === undefined) return undefined;
  if (given === "" || given.length > longestKey)
    throw new BadRequestError("validation_error", `Idempotency-Key has 1 to ${longestKey} characters.`, [
      { field: "Idempotency-Key", message: `1 to ${longestKey} characters`, code: "format_invalid" },
    ]);
  const key = hashOf([ownerOf(caller) ?? caller.subject, given]);
  const fingerprint = hashOf(body);
  return {
    /** Returns the first request under the key. Rejects with `conflict` if that was a different request. */
    async first(): Promise<KeyedRequest | undefined> {
      const first = await store.find(key);
      return first === undefined ? undefined : sameRequest(first, fingerprint);
    },
    /** The id of the resource: the given one, or that of the first request under the key. */
    resultId: async (proposed: string) =>
      sameRequest(await store.claim(key, { fingerprint, resultId: proposed }, lifeSpanMs), fingerprint).resultId,
  };
}

function sameRequest(first: KeyedRequest, fingerprint: string): KeyedRequest {
  if (first.fingerprint === fingerprint) return first;
  throw new BadRequestError("conflict", "This Idempotency-Key was used for another request.");
}

/** Does not depend on the order of the fields. */
function hashOf(value: unknown): string {
  return createHash("sha256").update(sortedJson(value)).digest("base64url");
}
