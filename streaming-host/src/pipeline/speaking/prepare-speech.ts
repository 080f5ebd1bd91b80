/** Synthesises fixed text before it is needed, cut into the same clauses as a speaker would. */
import type { SynthesisRequest, Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { packOf } from "@voice/shared/languages/packs";
import { ClauseSplitter } from "./clause-splitter.ts";
import { toSpeakableText } from "./speakable-text.ts";

const noListener = { onAudio: () => undefined, onWord: () => undefined };

/** Rejects with the first failure, after everything was tried. */
export async function prepareSpeech(
  texts: readonly string[],
  how: Pick<SynthesisRequest, "voice" | "language" | "sampleRateHz">,
  synthesiser: Synthesiser,
): Promise<void> {
  const { signal } = new AbortController(); // never aborted: other conversations need the same audio
  const attempts = await Promise.allSettled(
    texts
      .flatMap((text) => clausesOf(text, how.language))
      .map((text) => synthesiser.synthesise({ ...how, text, isFixed: true }, noListener, signal)),
  );
  const failed = attempts.find((attempt) => attempt.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** The clauses of a text as a speaker would request them, so that both share the audio. */
export function clausesOf(text: string, language: string): string[] {
  const splitter = new ClauseSplitter(packOf(language).abbreviations);
  return [...splitter.push(text), splitter.flush() ?? []]
    .flat()
    .map(toSpeakableText)
    .filter((clause) => clause !== "");
}
