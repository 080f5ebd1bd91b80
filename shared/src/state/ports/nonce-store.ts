/** What may be used only once, on whichever host: the nonces of signed requests. */

export interface NonceStore {
  /** True for the first of any number of callers with one nonce, until its life is over. */
  claim(nonce: string, lifeSpanMs: number): Promise<boolean>;
}
