/**
 * Requests one text as speech, in a form that the server accepts: in the agent's voice or in another, as raw samples or as a WAV file, with
 * or without speed and instructions. A rejected request is changed and repeated, for the same text.
 */
import type { SynthesisRequest } from "@voice/provider-kit/ports/synthesiser";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type OpenAI from "openai";
import { APIError } from "openai";
import { RefusedVoices } from "../../refused-voices.ts";
import { toUpstreamError } from "../errors.ts";
import type { ResponseFormat, ResponseFormats } from "./response-formats.ts";
import { service } from "./utterance.ts";
import { standInFor, voiceNameOf } from "./voices.ts";
import type { VoiceChoice } from "./voices.ts";
import { relativeChange } from "@voice/provider-kit/voices/sounds-like";
import type { SpeechCreateParams } from "openai/resources/audio/speech";

export interface SpeechOpenerOptions {
  readonly client: OpenAI;
  readonly model: string;
  readonly choice: VoiceChoice;
  readonly formats: ResponseFormats;
  readonly logger: Logger;
}

/** Rejects with a `VoiceError`, or with the signal's reason. */
export type OpenSpeech = (
  request: SynthesisRequest,
  options: { readonly timeoutMs: number; readonly format: ResponseFormat },
  signal: AbortSignal,
) => Promise<Response>;

/** The statuses with which a server rejects a voice that it does not know, or that belongs to somebody else. */
const voiceRefusals = new Set([400, 403, 404, 422]);
/** The statuses with which it rejects anything else in a request. */
const refusals = new Set([400, 415, 422]);

interface Change {
  readonly what: "voice" | "format" | "extras";
  readonly statuses: ReadonlySet<number>;
  /** Matches the text by which a server says that this is what it rejects. */
  readonly named: RegExp;
  readonly by: Partial<SpeechManner>;
}

export function createSpeechOpener({ client, model, choice, formats, logger }: SpeechOpenerOptions): OpenSpeech {
  const refusedVoices = new RefusedVoices();
  return async (request, { timeoutMs: timeout, format }, signal) => {
    const { voice } = request;
    const another = choice.instead ?? standInFor(voice.name);

    /** Only the change that made the difference is learnt; if none did, the text was rejected, or the server lacks its model. */
    function learn(change: Change | undefined): void {
      if (change?.what === "voice") refusedVoices.add(voice);
      if (change?.what === "format") formats.learn("wav", "was refused");
    }

    async function ask(manner: SpeechManner, changes: readonly Change[], last?: Change): Promise<Response> {
      try {
        const params = toSpeechParams(request, model, manner);
        const response = await client.audio.speech.create(params, { signal, timeout }).asResponse();
        learn(last);
        return response;
      } catch (error) {
        signal.throwIfAborted();
        const next = likeliest(changes, error);
        if (next === undefined) throw toFailure(error, another, choice);
        const status = error instanceof APIError ? error.status : undefined;
        if (next.what === "voice")
          logger.warn({ voice: voice.name, status }, "a voice was refused, another one speaks");
        else logger.info({ what: next.what, status }, "a request for speech was refused, and is made in another way");
        const rest = changes.filter((change) => change !== next);
        return await ask({ ...manner, ...next.by }, rest, next);
      }
    }

    const name = refusedVoices.has(voice) ? another : voiceNameOf(voice.name, choice);
    const manner = { voice: name, format, hasExtras: true };
    return await ask(manner, changesOf(manner, another, toSpeechParams(request, model, manner)));
  };
}

/** Possible changes, in the order in which they are tried if the server does not say what it rejects. */
function changesOf(manner: SpeechManner, another: string, params: ReturnType<typeof toSpeechParams>): Change[] {
  const voice = { what: "voice", statuses: voiceRefusals, named: /\bvoices?\b/i, by: { voice: another } } as const;
  const format = { what: "format", statuses: refusals, named: /format|\bpcm\b/i, by: { format: "wav" } } as const;
  const extras = {
    what: "extras",
    statuses: refusals,
    named: /speed|instructions/i,
    by: { hasExtras: false },
  } as const;
  return [
    ...(manner.voice === another ? [] : [voice]),
    ...(manner.format === "wav" ? [] : [format]),
    ...("speed" in params || "instructions" in params ? [extras] : []),
  ];
}

function likeliest(changes: readonly Change[], error: unknown): Change | undefined {
  if (!(error instanceof APIError) || error.status === undefined) return undefined;
  const { status, param, message } = error;
  const possible = changes.filter(({ statuses }) => statuses.has(status));
  return possible.find(({ named }) => named.test(param ?? message)) ?? possible[0];
}

/** If the server does not have the replacement voice either, that says nothing about the server, unless the settings name that voice. */
function toFailure(error: unknown, another: string, { instead }: VoiceChoice): VoiceError {
  const failure = toUpstreamError(error, service);
  const isOfVoice = error instanceof APIError && (error.param === "voice" || /\bvoice\b/i.test(error.message));
  if (another === instead || !isOfVoice || !(failure instanceof UpstreamAccessError)) return failure;
  const { message, reason } = failure;
  return new VoiceError("upstream_unavailable", message, { retryable: false, reason });
}

/** The service's limits. */
const slowest = 0.25;
const fastest = 4;

/** The form in which a server is asked for a text. */
interface SpeechManner {
  /** The voice in the server's own notation. */
  readonly voice: string;
  readonly format: ResponseFormat;
  /** Speed and instructions, which some servers reject. */
  readonly hasExtras: boolean;
}

function toSpeechParams(
  { text, voice, language }: SynthesisRequest,
  model: string,
  { voice: name, format, hasExtras }: SpeechManner,
) {
  const speed = Math.min(Math.max(relativeChange(voice.rate), slowest), fastest);
  return {
    model,
    input: text,
    voice: name.startsWith("voice_") ? { id: name } : name,
    response_format: format,
    ...(hasExtras && speed !== 1 && { speed }),
    // `tts-1` and other vendors' servers ignore instructions.
    ...(hasExtras && model.startsWith("gpt-") && { instructions: toInstructions(voice.style, language) }),
  } satisfies SpeechCreateParams;
}

function toInstructions(style: string | undefined, language: string): string {
  const tone = style === undefined || style === "chat" ? "conversational" : style;
  const name = new Intl.DisplayNames("en", { type: "language" }).of(language) ?? language;
  return `Speak ${name} in a ${tone} tone, as on the phone.`;
}
