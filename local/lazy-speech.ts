/** Speech engines that start when they are first used, so that nobody waits for them before. */
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import type { PoolFigures, Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";

/** `make` is called when the recogniser is first used. */
export function lazyRecogniser(make: () => Promise<Recogniser>): Recogniser {
  return recogniserOf(new Eventual(make));
}

export function lazySynthesiser(make: () => Promise<Synthesiser>): Synthesiser {
  return synthesiserOf(new Eventual(make));
}

/** Those that are being made, and are not ready until then. */
export function speechBeingMade(recogniser: Promise<Recogniser>, synthesiser: Promise<Synthesiser>): LocalSpeech {
  const [hears, speaks] = [new Eventual(() => recogniser), new Eventual(() => synthesiser)];
  for (const made of [hears.get(), speaks.get()]) made.catch(() => undefined); // whoever made the promise learns of it
  return { recogniser: recogniserOf(hears), synthesiser: synthesiserOf(speaks) };
}

function recogniserOf(engine: Eventual<Recogniser>): Recogniser {
  return {
    open: async (...args) => (await engine.get()).open(...args),
    pool: () => engine.pool(),
    close: () => engine.close(),
  };
}

function synthesiserOf(engine: Eventual<Synthesiser>): Synthesiser {
  return {
    synthesise: async (...args) => (await engine.get()).synthesise(...args),
    pool: () => engine.pool(),
    close: () => engine.close(),
  };
}

class Eventual<Engine extends { pool(): PoolFigures; close(): Promise<void> }> {
  readonly #make: () => Promise<Engine>;
  #making: Promise<Engine> | undefined;
  #made: Engine | undefined;

  constructor(make: () => Promise<Engine>) {
    this.#make = make;
  }

  get(): Promise<Engine> {
    return (this.#making ??= this.#begin());
  }

  /** An engine that was not requested yet counts as ready. */
  pool(): PoolFigures {
    return this.#made?.pool() ?? { ...emptyPool, ready: this.#making === undefined };
  }

  async close(): Promise<void> {
    await (await this.#making)?.close();
  }

  async #begin(): Promise<Engine> {
    return (this.#made = await this.#make());
  }
}
