/**
 * The local recogniser with a memory in place of its decoders: a line that was spoken in this process is known by its sound, so
 * nothing is decoded. Everything else is the product's: where speech begins, pauses and ends, which words an agent's
 * grammar has, what is said of them while they are spoken. A sound that nobody in this process has made has no words.
 */
import type { DecoderPool } from "@voice/local-voice/recogniser/decoder-pool";
import { decoderRateHz } from "@voice/local-voice/recogniser/decoder";
import type { SpeechDecoder } from "@voice/local-voice/recogniser/decoder";
import type { Grammar } from "@voice/local-voice/recogniser/grammar";
import { createRecognitionEngine } from "@voice/local-voice/recogniser/recognition-engine";
import type { SecondOpinion } from "@voice/local-voice/recogniser/second-opinion";
import { createResampler } from "@voice/provider-kit/audio/resample";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import { inlineRecogniser } from "./inline-recogniser.ts";
import { knownSpeechRateHz } from "./known-speech.ts";
import type { RecognisedWords, KnownSpeech } from "./known-speech.ts";

export async function createRememberingRecogniser(known: KnownSpeech): Promise<Recogniser> {
  return inlineRecogniser(
    createRecognitionEngine({
      createDetector: await loadVoiceActivity(),
      decoders: rememberingDecoders(known),
      secondOpinion: sureOfItsWords,
    }),
    queueMicrotask,
  );
}

/** There is one for everybody. */
function rememberingDecoders(known: KnownSpeech): DecoderPool {
  return {
    take: (grammar) => rememberingDecoder(known, grammar),
    release: () => undefined,
    prepare: () => Promise.resolve(),
  };
}

/** What is remembered was said: there is nothing to compare it with. */
const sureOfItsWords: SecondOpinion = {
  likelySentence: () => undefined,
  sentenceOrWords: (_speech, _sentences, words) => ({ text: words, isSure: true }),
  betterSentence: () => undefined,
  code: () => undefined,
  greeting: () => undefined,
  yesOrNo: () => undefined,
};

function rememberingDecoder(known: KnownSpeech, grammar: Grammar): SpeechDecoder {
  const toKnownRate = createResampler(decoderRateHz, knownSpeechRateHz);
  let listening = known.listen();
  return {
    grammar,
    setGrammar() {
      throw new Error("this decoder is made for one grammar");
    },
    forget: () => undefined,
    begin() {
      listening = known.listen();
      toKnownRate.reset();
    },
    hear: (frame) => listening.hear(toKnownRate.process(frame)),
    hearWhole() {
      throw new Error("whole utterances are for a second opinion");
    },
    partialText: () => wordsUntilUnknown(listening.words(), grammar).join(" "),
    end() {
      const heard = listening.words();
      const words = wordsUntilUnknown(heard, grammar);
      return words.length === heard.flatMap((part) => part ?? [""]).length ? words.join(" ") : "";
    },
    score: () => 0,
  };
}

/** A grammar recognises its own words alone. */
function wordsUntilUnknown(heard: readonly RecognisedWords[], { vocabulary }: Grammar): readonly string[] {
  const words = heard.flatMap((part) => part ?? [""]);
  const end = words.findIndex((word) => !vocabulary.has(word));
  return end === -1 ? words : words.slice(0, end);
}
