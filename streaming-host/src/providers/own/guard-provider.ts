/**
 * Holds a provider of the user's own to what its port promises where a mistake would reach callers: errors are
 * `VoiceError`s, an aborted request rejects with the signal's reason, and nothing is called back after that, nor anything
 * that is not of the port's form.
 */
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import type { RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { errorCodes, VoiceError } from "@voice/shared/platform/errors";
import { z } from "zod";
import { readModelEvent } from "./own-model-event.ts";

/** In the packaged service, the provider has a `VoiceError` class of its own, so it is recognised by its form. */
const voiceError = z.looseObject({
  name: z.literal("VoiceError"),
  code: z.enum(errorCodes),
  message: z.string(),
  retryable: z.boolean(),
  retryAfterMs: z.number().optional(),
  reason: z.string().optional(),
});

export function guardSynthesiser(name: string, own: Synthesiser): Synthesiser {
  return {
    async synthesise(request, events, signal) {
      signal.throwIfAborted();
      let isNoAudio = false;
      const guarded: typeof events = {
        onAudio(samples: unknown) {
          if (!(samples instanceof Int16Array)) isNoAudio = true;
          else if (!signal.aborted) events.onAudio(samples);
        },
        onWord: (word) => (signal.aborted ? undefined : events.onWord(word)),
      };
      await guard(name, signal, async () => {
        await own.synthesise(request, guarded, signal);
        if (isNoAudio)
          throw new VoiceError("upstream_unavailable", `the provider ${name} gave audio that is no Int16Array`);
      });
    },
    pool: () => own.pool(),
    close: () => own.close(),
  };
}

export function guardRecogniser(name: string, own: Recogniser): Recogniser {
  return {
    async open(options, events, signal) {
      const guarded = { ...events, onError: (error: unknown) => events.onError(toVoiceError(name, error)) };
      return guard(name, signal, () => own.open(options, guarded, signal));
    },
    pool: () => own.pool(),
    close: () => own.close(),
  };
}

export function guardLanguageModel(name: string, own: LanguageModel): LanguageModel {
  return {
    async *stream(request, signal) {
      try {
        signal.throwIfAborted();
        for await (const given of own.stream(request, signal)) {
          signal.throwIfAborted();
          const event = readModelEvent(name, given);
          yield event;
          if (event.type === "finished") return;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw toVoiceError(name, error);
      }
    },
  };
}

export function guardRealtimeModel(name: string, own: RealtimeModel): RealtimeModel {
  return {
    async open(settings, listener, signal) {
      const guarded: typeof listener = {
        onEvent: (event) =>
          listener.onEvent(event.type === "error" ? { ...event, error: toVoiceError(name, event.error) } : event),
        onEnded: (error) => listener.onEnded(toVoiceError(name, error)),
      };
      return guard(name, signal, () => own.open(settings, guarded, signal));
    },
  };
}

async function guard<Answer>(name: string, signal: AbortSignal, work: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await work();
    signal.throwIfAborted();
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    throw toVoiceError(name, error);
  }
}

function toVoiceError(name: string, error: unknown): VoiceError {
  if (error instanceof VoiceError) return error;
  const read = voiceError.safeParse(error);
  if (!read.success) return new VoiceError("upstream_unavailable", `the provider ${name} failed`, { cause: error });
  const { code, message, retryable, retryAfterMs, reason } = read.data;
  return new VoiceError(code, message, { retryable, retryAfterMs, reason, cause: error });
}
