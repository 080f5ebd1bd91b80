/**
 * The service counts every millisecond that it receives, including the silence added by a flush, which the caller never sent. This
 * translates its positions back to the caller's.
 */
export class CallerTimeline {
  #writtenMs = 0;
  readonly #added: { readonly atMs: number; readonly durationMs: number }[] = [];

  /** The caller's own audio. */
  wrote(durationMs: number): void {
    this.#writtenMs += durationMs;
  }

  addedSilence(durationMs: number): void {
    this.#added.push({ atMs: this.#writtenMs, durationMs });
    this.#writtenMs += durationMs;
  }

  toCallerMs(serviceMs: number): number {
    let callerMs = serviceMs;
    for (const { atMs, durationMs } of this.#added) {
      callerMs -= Math.min(Math.max(serviceMs - atMs, 0), durationMs);
    }
    return callerMs;
  }
}
