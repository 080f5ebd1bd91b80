/** Speech: synthesises a word and recognises it again. Speech that runs on this machine is not checked. */
import { UnreadableAudioError } from "@voice/provider-kit/speech-answer/audio-reader";
import { isNoiseAtFullVolume } from "@voice/provider-kit/audio/raw-samples";
import type { SpeechPart } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { createLastProblem } from "../last-problem.ts";
import { hear, sampleRateHz, speak } from "../speak-and-hear.ts";
import type { SpokenWords } from "../speak-and-hear.ts";

const word = "Hello.";
/** How long the word takes, with the silence around it that voices leave. */
const shortestSeconds = 0.2;
const longestSeconds = 3;

export function speechChecks({ parts: { recognition, synthesis }, settings, identity, clock }: DoctorContext): Check[] {
  if (recognition.kind === "local" && synthesis.kind === "local") return [];
  const { logger } = createLastProblem();
  // One connection each, and no more: this process says one word.
  const oneEach = { ...settings, maxSttPoolSize: 1, maxTtsPoolSize: 1, retryMaxAttempts: 0 };
  const parts = { settings: oneEach, tokens: identity.tokenFor, clock, logger };
  let spoken: Promise<SpokenWords> | undefined;

  async function synthesise(signal: AbortSignal): Promise<SpokenWords> {
    try {
      return await speak(parts, { text: word }, signal);
    } catch (error) {
      if (!(error instanceof UnreadableAudioError)) throw error;
      throw new CheckFailure(
        error.message,
        'docs/models.md, "Manners of speech servers", says what is read, and what is known of servers',
      );
    }
  }

  async function hearWord(signal: AbortSignal): Promise<string> {
    const { samples } = await (spoken ??= synthesise(signal)).catch(() => {
      throw new CheckFailure("not tried: there is no word to hear without synthesis", "mend speech synthesis first");
    });
    return hear(parts, { samples, text: word }, signal);
  }

  const advice = adviceFor(synthesis, settings, "TTS");
  const speaks: Check = {
    name: "speech synthesis",
    advice,
    async run(signal) {
      const { samples, found } = await (spoken ??= synthesise(signal));
      if (samples.length === 0)
        throw new CheckFailure("it answered without audio", `is ${settings.ttsVoice} a voice of this region?`);
      const seconds = samples.length / sampleRateHz;
      const said = `said "${word}" in ${seconds.toFixed(1)} s of audio${found === undefined ? "" : ` (${found})`}`;
      if (isNoiseAtFullVolume(samples)) throw new CheckFailure(`${said}, which is noise`, advice);
      if (seconds < shortestSeconds || seconds > longestSeconds)
        throw new CheckFailure(
          `${said}, which is not as long as the word`,
          `OPENAI_TTS_RAW_RATE_HZ is ${settings.openaiTtsRawRateHz}; ${advice}`,
        );
      return said;
    },
  };
  const hears: Check = {
    name: "speech recognition",
    advice: adviceFor(recognition, settings, "STT"),
    async run(signal) {
      const text = await hearWord(signal);
      if (text === "")
        throw new CheckFailure("it heard no word in what the synthesis said", "compare STT_LANGUAGE with TTS_VOICE");
      return `heard "${text}"`;
    },
  };
  return [...(synthesis.kind === "local" ? [] : [speaks]), ...(recognition.kind === "local" ? [] : [hears])];
}

function adviceFor(part: SpeechPart, { speechKey }: Settings, half: "STT" | "TTS"): string {
  if (part.kind === "own") return `what ${part.module} says; docs/models.md tests it by itself`;
  if (part.kind === "model") return `try another voice in ${part.dir}; docs/models.md says which there are`;
  if (part.kind === "openai")
    return `compare OPENAI_API_KEY (or OPENAI_${half}_KEY) with the server's, and OPENAI_${half}_MODEL with what it serves`;
  return speechKey === undefined
    ? "the identity needs the role Cognitive Services Speech User on the resource of CLOUD_SPEECH_RESOURCE_ID"
    : "compare CLOUD_SPEECH_KEY with the resource's, and CLOUD_SPEECH_REGION or CLOUD_SPEECH_ENDPOINT with its place";
}
