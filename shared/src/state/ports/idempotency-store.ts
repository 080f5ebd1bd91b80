/** Records the first request under a client's idempotency key, so that repeating it has no further effect. */
export interface KeyedRequest {
  /** A hash of the request: a different request under the same key is a client error. */
  readonly fingerprint: string;
  /** The id of the resource that the request creates; the same for repeated requests. */
  readonly resultId: string;
}

export interface IdempotencyStore {
  find(key: string): Promise<KeyedRequest | undefined>;
  /** Resolves to the request that came first under this key within the life span, which may be another one. */
  claim(key: string, request: KeyedRequest, lifeSpanMs: number): Promise<KeyedRequest>;
}
