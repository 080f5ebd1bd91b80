/** Counts what a conversation's recognition, synthesis and realtime model cost. Per frame it only adds one number. */
import type { BilledNames } from "@voice/shared/costs/billed-names";
import type { Quantities } from "@voice/shared/costs/usage";
import type { RealtimeEvent, RealtimeModel, RealtimeUsage } from "@voice/provider-kit/ports/realtime-model";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { quantitiesOf } from "./metered-language-model.ts";
import type { UsageMeter } from "./usage-meter.ts";

export function meteredRecogniser(recogniser: Recogniser, model: string, meter: UsageMeter): Recogniser {
  const { sendsPieces } = recogniser;
  let seconds = 0;
  meter.addContinuous(() => {
    if (seconds > 0) meter.add({ part: "recognition", model, quantities: { audio_seconds: seconds } });
    seconds = 0;
  });
  return {
    ...(sendsPieces === true && { sendsPieces }),
    async open(options, events, signal) {
      const stream = await recogniser.open(
        options,
        {
          onPartial: (partial) => events.onPartial(partial),
          onFinal: (final) => events.onFinal(final),
          onError: (error) => events.onError(error),
          onSent(audioMs) {
            seconds += audioMs / 1000;
          },
        },
        signal,
      );
      if (sendsPieces === true) return stream;
      return {
        write(samples) {
          seconds += samples.length / options.sampleRateHz;
          stream.write(samples);
        },
        flush: () => stream.flush(),
        setHints: (hints) => stream.setHints(hints),
        close: () => stream.close(),
      };
    },
    pool: () => recogniser.pool(),
    close: () => recogniser.close(),
  };
}

export function meteredSynthesiser(
  synthesiser: Synthesiser,
  nameOf: NonNullable<BilledNames["synthesis"]>,
  meter: UsageMeter,
): Synthesiser {
  return {
    synthesise(request, events, signal) {
      const onMade: typeof request.onMade = ({ characters, audioSeconds, model = nameOf(request.voice) }) =>
        meter.add({
          part: "synthesis",
          model,
          quantities: { characters, audio_seconds: audioSeconds },
        });
      return synthesiser.synthesise({ ...request, onMade }, events, signal);
    },
    pool: () => synthesiser.pool(),
    close: () => synthesiser.close(),
  };
}

export function meteredRealtimeModel(
  realtime: RealtimeModel,
  usualName: string,
  transcription: string | undefined,
  meter: UsageMeter,
): RealtimeModel {
  const count = (event: RealtimeEvent): void => {
    if (event.type === "response-finished" && event.usage !== undefined) countResponse(event.usage);
    if (event.type !== "used") return;
    const { what, usage } = event;
    if (what === "response") countResponse(usage);
    else if (transcription !== undefined)
      meter.add({ part: "recognition", model: usage.model ?? transcription, quantities: quantitiesIn(usage) });
  };
  /** An agent may use another model than the default one. */
  const countResponse = (usage: RealtimeUsage): void => {
    meter.add({ part: "realtime_model", model: usage.model ?? usualName, quantities: quantitiesIn(usage) });
  };
  return {
    open: (settings, listener, signal) =>
      realtime.open(
        settings,
        {
          onEvent(event) {
            count(event);
            listener.onEvent(event);
          },
          onEnded: (error) => listener.onEnded(error),
        },
        signal,
      ),
  };
}

function quantitiesIn(usage: RealtimeUsage): Quantities {
  return "audioSeconds" in usage ? { audio_seconds: usage.audioSeconds } : quantitiesOf(usage);
}
