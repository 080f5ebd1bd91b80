/** What somebody has heard, as stretches of time in which something was audible. */

interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

export class HeardSpans {
  #spans: Span[] = [];

  /** In the order of time; a span that begins where the last one ended continues it. */
  add(fromMs: number, untilMs: number): void {
    const last = this.#spans.at(-1);
    if (last === undefined || fromMs > last.untilMs) this.#spans.push({ fromMs, untilMs });
    else this.#spans.splice(-1, 1, { fromMs: last.fromMs, untilMs: Math.max(last.untilMs, untilMs) });
  }

  /** What was going to be heard after this moment will not be. */
  cutAt(atMs: number): void {
    this.#spans = this.#spans
      .filter(({ fromMs }) => fromMs < atMs)
      .map(({ fromMs, untilMs }) => ({ fromMs, untilMs: Math.min(untilMs, atMs) }));
  }

  get firstMs(): number | undefined {
    return this.#spans[0]?.fromMs;
  }

  get audibleMs(): number {
    return this.#spans.reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
  }

  /** The longest silence between two stretches, of those that begin after `sinceMs` or lie around it. */
  longestGapMs(sinceMs = 0): number {
    const gaps = this.#spans.map(({ untilMs }, at) => {
      const next = this.#spans[at + 1];
      return next === undefined || next.fromMs < sinceMs ? 0 : next.fromMs - untilMs;
    });
    return Math.max(0, ...gaps);
  }
}
