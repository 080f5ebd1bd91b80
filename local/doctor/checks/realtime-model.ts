/**
 * The realtime model: it accepts a session with a voice and turn detection, as conversations open it, and still knows its own question
 * after the caller has cut it off.
 */
import { createVoiceLiveFromSettings } from "@voice/streaming-host/providers/voice-live/from-settings";
import { createOpenAiRealtimeFromSettings } from "@voice/streaming-host/providers/openai/realtime/from-settings";
import type { RealtimeModel, RealtimeSettings } from "@voice/provider-kit/ports/realtime-model";
import type { Parts } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { CheckFailure } from "../check.ts";
import type { Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { createLastProblem } from "../last-problem.ts";

/** What conversations have: those of a telephony platform (HOOK-18), and all others. */
const ratesHz = [8000, 24_000];

export function realtimeModelChecks({ parts, settings, identity, clock }: DoctorContext): Check[] {
  const { realtimeModel } = parts;
  // A model of one's own has its contract suite.
  if (realtimeModel.kind === "none" || realtimeModel.kind === "own") return [];
  const options = { tokens: identity.tokenFor, clock, logger: createLastProblem().logger };
  const once = { ...settings, retryMaxAttempts: 0 };
  const model =
    realtimeModel.kind === "openai"
      ? createOpenAiRealtimeFromSettings(realtimeModel, once, options)
      : createVoiceLiveFromSettings(realtimeModel, once, options);
  return [
    {
      name: realtimeModel.kind === "openai" ? `realtime model ${realtimeModel.model}` : "Voice Live",
      advice: adviceFor(realtimeModel, settings),
      async run(signal) {
        const startedAt = clock.now();
        for (const sampleRateHz of ratesHz) {
          const nobody = { onEvent: () => undefined, onEnded: () => undefined };
          const session = await model.open(sessionSettings(settings, { sampleRateHz }), nobody, signal);
          session.close();
        }
        const took = `accepted the session's settings after ${Math.round(clock.now() - startedAt)} ms`;
        return [took, ...model.health().learnt].join("; ");
      },
    },
    {
      name: "memory of the realtime model",
      advice:
        "after an interruption the model may not know what it had asked: report it with the model's name and region, because the service does something else than its documentation says",
      run: (signal) => checkMemory(model, sessionSettings(settings, { sampleRateHz: 24_000 }), signal),
    },
  ];
}

/** As conversations open a session. */
export function sessionSettings(
  { ttsVoice, sttLanguage }: Settings,
  { sampleRateHz }: { readonly sampleRateHz: number },
): RealtimeSettings {
  return {
    instructions: "Answer in one short sentence.",
    voice: { name: ttsVoice },
    tools: [],
    sampleRateHz,
    language: sttLanguage,
    phrases: [],
    turnDetection: { kind: "silence", silenceMs: 500, interruptsResponse: true },
    noiseSuppression: true,
    echoCancellation: true,
  };
}

function adviceFor(
  part: Exclude<Parts["realtimeModel"], { readonly kind: "none" | "own" }>,
  { voiceLiveKey }: Settings,
): string {
  if (part.kind === "openai")
    return `does the server at OPENAI_BASE_URL have the model ${part.model}? If it refuses access: compare OPENAI_API_KEY with its keys`;
  const access =
    voiceLiveKey === undefined
      ? "the identity needs the roles Cognitive Services User and Azure AI User"
      : "compare CLOUD_VOICELIVE_KEY with the resource's keys";
  return `is ${part.model} offered in the region of CLOUD_VOICELIVE_ENDPOINT? If it refuses access: ${access}`;
}

/** No answer has this word by chance. */
const codeWord = "lighthouse";
const question = `Is your code word ${codeWord}, yes or no, and would you like to hear what else I can do for you today?`;
/** Up to here the question was heard: the rest of it nobody heard. */
const heard = `Is your code word ${codeWord}, yes or no,`;

/**
 * Whether a realtime model still knows what it had asked when the caller interrupted it (RT-5). The service removes
 * the text of a truncated item; no documentation says from what each model continues after that, so a real account is
 * used.
 */
async function checkMemory(model: RealtimeModel, settings: RealtimeSettings, signal: AbortSignal): Promise<string> {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let finished = Promise.withResolvers<undefined>();
  let [itemId, text, samples] = ["", "", 0];
  const session = await model.open(
    settings,
    {
      onEvent(event) {
        if (event.type === "audio") {
          itemId ||= event.itemId;
          samples += event.samples.length;
        } else if (event.type === "agent-text") text += event.delta;
        else if (event.type === "response-finished")
          if (event.status === "failed") failed.reject(event.error ?? new Error("the model failed an answer"));
          else finished.resolve(undefined);
      },
      onEnded: (error) => failed.reject(error),
    },
    signal,
  );
  try {
    session.respond({ say: question });
    await Promise.race([finished.promise, failed.promise]);
    const durationMs = (samples * 1000) / settings.sampleRateHz;
    session.truncate(itemId, (durationMs * heard.length) / question.length, heard);
    finished = Promise.withResolvers();
    text = "";
    session.sendText("Which code word did you just ask me about? Say the word.");
    session.respond();
    await Promise.race([finished.promise, failed.promise]);
  } finally {
    session.close();
  }
  if (text.toLowerCase().includes(codeWord)) return "knows what it had asked when the caller cut it off";
  throw new CheckFailure(
    "the model does not know what it had asked when the caller cut it off",
    "tell the model in the prompt to ask again where an answer does not fit, and report the model's name and region",
  );
}
