/** Asks for one text as speech, in the agent's voice, or in another where the server refuses that one. */
import type { SynthesisRequest } from "@voice/provider-kit/ports/synthesiser";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type OpenAI from "openai";
import { APIError } from "openai";
import { RefusedVoices } from "../../refused-voices.ts";
import { toUpstreamError } from "../errors.ts";
import { toSpeechParams } from "./speech-params.ts";
import { service } from "./utterance.ts";
import { standInFor, voiceNameOf } from "./voices.ts";
import type { VoiceChoice } from "./voices.ts";

export interface SpeechOpenerOptions {
  readonly client: OpenAI;
  readonly model: string;
  readonly choice: VoiceChoice;
  readonly logger: Logger;
}

/** Rejects with a `VoiceError`, or with the signal's reason. */
export type OpenSpeech = (request: SynthesisRequest, timeoutMs: number, signal: AbortSignal) => Promise<Response>;

/** The statuses with which a server refuses a voice: one that it does not know, or somebody else's. */
const refusals = new Set([400, 403, 404, 422]);

export function createSpeechOpener({ client, model, choice, logger }: SpeechOpenerOptions): OpenSpeech {
  const refusedVoices = new RefusedVoices();
  return async (request, timeout, signal) => {
    const { voice } = request;
    const another = choice.instead ?? standInFor(voice.name);
    const name = refusedVoices.has(voice) ? another : voiceNameOf(voice.name, choice);
    const openAs = async (spoken: string): Promise<Response> => {
      const params = toSpeechParams(request, model, spoken);
      return await client.audio.speech.create(params, { signal, timeout }).asResponse();
    };
    try {
      return await openAs(name);
    } catch (error) {
      signal.throwIfAborted();
      const status = error instanceof APIError ? error.status : undefined;
      if (!refusals.has(status ?? 0) || name === another) throw toFailure(error, another, choice);
      logger.warn({ voice: name, status }, "a voice was refused, another one speaks");
    }
    try {
      const response = await openAs(another);
      // Where the other one is refused, too, it was not the voice: a text, or a server without its model.
      refusedVoices.add(voice);
      return response;
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(error, another, choice);
    }
  };
}

/** A stand-in that the server does not have either says nothing of the server, unless the settings name it. */
function toFailure(error: unknown, another: string, { instead }: VoiceChoice): VoiceError {
  const failure = toUpstreamError(error, service);
  const isOfVoice = error instanceof APIError && (error.param === "voice" || /\bvoice\b/i.test(error.message));
  if (another === instead || !isOfVoice || !(failure instanceof UpstreamAccessError)) return failure;
  const { message, reason } = failure;
  return new VoiceError("upstream_unavailable", message, { retryable: false, reason });
}
