/**
 * The decoders of one thread. A stream holds one only while its caller speaks, so a few decoders serve many calls. A decoder that already
 * has the right grammar is preferred, because loading a grammar takes as long as 4 frames last.
 */
import type { DecoderFactory, SpeechDecoder } from "./decoder.ts";
import type { Grammar } from "./grammar.ts";

export interface DecoderPool {
  /** An idle decoder with this grammar. Undefined if all are busy; another one is then created, unless the limit is reached. */
  take(grammar: Grammar): SpeechDecoder | undefined;
  release(decoder: SpeechDecoder): void;
  /** Loads the grammar into an idle decoder, or into a new one, so that `take` will be quick. */
  prepare(grammar: Grammar, inUse: ReadonlySet<Grammar>): Promise<void>;
}

export async function createDecoderPool(
  factory: DecoderFactory,
  size: { readonly warm: number; readonly max: number },
): Promise<DecoderPool> {
  /** Least recently used first. */
  const idle: SpeechDecoder[] = [];
  let count = 0;
  let preparing = Promise.resolve();

  const grow = async (): Promise<void> => {
    if (count >= size.max) return;
    count += 1;
    try {
      idle.unshift(await factory.create());
    } catch (error) {
      count -= 1;
      throw error;
    }
  };
  let isGrowing = false;
  /**
   * If a caller has to wait for a decoder, recognition becomes so late that a pause within a sentence is taken for its end. If no decoder
   * can be created, streams wait until another one is released; the next `prepare` meets the same error and reports it.
   */
  const growForWaiting = async (): Promise<void> => {
    if (isGrowing) return;
    isGrowing = true;
    await grow().catch(() => undefined);
    isGrowing = false;
  };
  const prepareNow = async (grammar: Grammar, inUse: ReadonlySet<Grammar>): Promise<void> => {
    if (idle.some((decoder) => decoder.grammar === grammar)) return;
    const isSpare = (decoder: SpeechDecoder): boolean => decoder.grammar === undefined || !inUse.has(decoder.grammar);
    if (!idle.some(isSpare)) await grow();
    idle.find(isSpare)?.setGrammar(grammar);
  };
  for (let index = 0; index < size.warm; index++) await grow();

  return {
    take(grammar) {
      const index = Math.max(
        0,
        idle.findIndex((decoder) => decoder.grammar === grammar),
      );
      const decoder = idle[index];
      if (decoder === undefined) void growForWaiting();
      // The grammar is set before the decoder leaves the pool: if the engine rejects it, only the stream fails and the decoder is retained.
      if (decoder !== undefined && decoder.grammar !== grammar) decoder.setGrammar(grammar);
      idle.splice(index, 1);
      return decoder;
    },
    release(decoder) {
      idle.push(decoder);
    },
    prepare(grammar, inUse) {
      // Serialised, because two streams would otherwise prepare the same decoder.
      const previous = preparing;
      preparing = (async () => {
        await previous.catch(() => undefined);
        await prepareNow(grammar, inUse);
      })();
      return preparing;
    },
  };
}
