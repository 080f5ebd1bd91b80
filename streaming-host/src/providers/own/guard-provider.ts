/**
 * Ensures that a user's own provider keeps the promises of its port where a mistake would reach callers: errors are `VoiceError`s, an
 * aborted request rejects with the signal's reason, and after that nothing is called back, nor anything that does not have the port's form.
 */
import { identifyAudio } from "@voice/provider-kit/audio/identify-audio";
import { bytesFromSamples } from "@voice/provider-kit/audio/pcm16";
import type { LanguageModel } from "@voice/provider-kit/ports/language-model";
import type { RealtimeEvent, RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { explainedError } from "@voice/shared/platform/errors";
import type { StatusBasis } from "@voice/shared/platform/status-basis";
import { ownFailure } from "./own-failure.ts";
import { readModelEvent } from "./own-model-event.ts";

export function guardSynthesiser(name: string, own: Synthesiser): Synthesiser {
  let basis: StatusBasis = "not-asked";
  return {
    async synthesise(request, events, signal) {
      signal.throwIfAborted();
      let wrong: string | undefined;
      let length = 0;
      const guarded: typeof events = {
        onAudio(samples: unknown) {
          if (!(samples instanceof Int16Array)) wrong ??= "audio that is no Int16Array";
          else {
            if (length === 0) wrong ??= fileIn(samples);
            length += samples.length;
            if (wrong === undefined && !signal.aborted) events.onAudio(samples);
          }
        },
        onWord: (word) => (signal.aborted ? undefined : events.onWord(word)),
        onFound: (format) => (signal.aborted ? undefined : events.onFound?.(format)),
      };
      await guard(name, signal, async () => {
        await own.synthesise(request, guarded, signal);
        if (length === 0 && /[\p{L}\p{N}]/u.test(request.text)) wrong ??= "no audio";
        if (wrong !== undefined) throw explainedError("upstream_unavailable", `the provider ${name} gave ${wrong}`);
        basis = "answered";
      });
    },
    pool: () => ({ basis, ...own.pool() }),
    close: () => own.close(),
  };
}

/** Data that begins like a file or a text is not samples, and would be audible as a click or as noise. */
function fileIn(samples: Int16Array): string | undefined {
  const identified = identifyAudio(bytesFromSamples(samples), true);
  if (identified === undefined || identified.kind === "unknown") return undefined;
  const { kind } = identified;
  return `the bytes of ${kind === "other" ? identified.name : kind} as samples, where AudioReader would read them`;
}

/** `onAnswered`: called for each complete answer. */
export function guardLanguageModel(
  name: string,
  own: LanguageModel,
  onAnswered: () => void = () => undefined,
): LanguageModel {
  return {
    // A user's own model may be of any kind, unless it declares otherwise.
    mayBeginInThought: (deploymentId) => own.mayBeginInThought?.(deploymentId) ?? true,
    contextTokens: (deploymentId) => own.contextTokens?.(deploymentId),
    async *stream(request, signal) {
      try {
        signal.throwIfAborted();
        for await (const given of own.stream(request, signal)) {
          signal.throwIfAborted();
          const event = readModelEvent(name, given);
          if (event.type === "finished") onAnswered();
          yield event;
          if (event.type === "finished") return;
        }
      } catch (error) {
        signal.throwIfAborted();
        throw ownFailure(name, error);
      }
    },
  };
}

/** `onAnswered`: called for each session that was opened. */
export function guardRealtimeModel(
  name: string,
  own: RealtimeModel,
  onAnswered: () => void = () => undefined,
): RealtimeModel {
  return {
    async open(settings, listener, signal) {
      const guarded: typeof listener = {
        onEvent(event: unknown) {
          if (isEvent(event))
            listener.onEvent(event.type === "error" ? { ...event, error: ownFailure(name, event.error) } : event);
          else
            listener.onEnded(explainedError("upstream_unavailable", `the provider ${name} gave an event that is none`));
        },
        onEnded: (error) => listener.onEnded(ownFailure(name, error)),
      };
      const session = await guard(name, signal, () => own.open(settings, guarded, signal));
      onAnswered();
      return session;
    },
  };
}

/** A complete check would cost time for every piece of audio. */
function isEvent(event: unknown): event is RealtimeEvent {
  return typeof event === "object" && event !== null && "type" in event;
}

async function guard<Answer>(name: string, signal: AbortSignal, work: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await work();
    signal.throwIfAborted();
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    throw ownFailure(name, error);
  }
}
