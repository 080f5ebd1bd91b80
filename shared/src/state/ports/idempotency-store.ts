/** Which request came first under a key that the caller chose, so that a repetition of it does nothing more. */
export interface KeyedRequest {
  /** What was asked for, as a hash: another wish under the same key is a mistake of the caller's. */
  readonly fingerprint: string;
  /** The id of what the request makes; the same for its repetitions. */
  readonly resultId: string;
}

export interface IdempotencyStore {
  find(key: string): Promise<KeyedRequest | undefined>;
  /** Resolves to the request that came first under this key within the life span, which may be another one. */
  claim(key: string, request: KeyedRequest, lifeSpanMs: number): Promise<KeyedRequest>;
}
