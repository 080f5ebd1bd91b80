/**
 * Ensures that a user's own provider keeps the promises of its port where a mistake would reach callers: errors are `VoiceError`s, an
 * aborted request rejects with the signal's reason, and after that nothing is called back, nor anything that does not have the port's form.
 */
import { identifyAudio } from "@voice/provider-kit/audio/identify-audio";
import { bytesFromSamples } from "@voice/provider-kit/audio/pcm16";
import type { LanguageModel, ModelEvent } from "@voice/provider-kit/ports/language-model";
import type { RealtimeEvent, RealtimeModel } from "@voice/provider-kit/ports/realtime-model";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { explainedError } from "@voice/shared/platform/errors";
import type { StatusBasis } from "@voice/shared/platform/status-basis";
import { toolCall } from "@voice/shared/tools/tool-call";
import { ownFailure } from "./own-failure.ts";
import { z } from "zod";

const tokens = z.number().int().min(0);

const usage = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  cachedTokens: tokens.optional(),
  audioInputTokens: tokens.optional(),
  cachedAudioTokens: tokens.optional(),
  audioOutputTokens: tokens.optional(),
  reasoningTokens: tokens.optional(),
  model: z.string().optional(),
});

const modelEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text-delta"), text: z.string() }),
  z.object({ type: z.literal("tool-call"), call: toolCall }),
  z.object({
    type: z.literal("finished"),
    reason: z.enum(["stop", "tool-calls", "length", "content-filter"]),
    // Token counts that cannot be read are estimated, as for servers that do not count.
    usage: usage.optional().catch(undefined),
    awaits: z.custom<NonNullable<Extract<ModelEvent, { type: "finished" }>["awaits"]>>().optional(),
  }),
]);

/**
 * Validates the events of a user's own language model. A mistake in them would otherwise only be noticed far from its cause. Throws a
 * `VoiceError` that names what is wrong and quotes nothing.
 */
function readModelEvent(provider: string, event: unknown): ModelEvent {
  const read = modelEvent.safeParse(event);
  if (read.success) {
    if (read.data.type !== "finished") return read.data;
    const { usage: counted, ...finished } = read.data;
    return counted === undefined ? finished : { ...finished, usage: counted };
  }
  const at = read.error.issues[0]?.path.join(".") ?? "";
  const what =
    at === "" ? "something that is no event of a language model" : `an event whose ${at} is not what the port says`;
  throw explainedError("upstream_unavailable", `the provider ${provider} gave ${what}`);
}

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
