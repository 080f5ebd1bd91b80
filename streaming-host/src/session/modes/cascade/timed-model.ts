/** Records a language model's requests among a reply's activities, following the GenAI conventions. */
import type { LanguageModel, ModelEvent, ModelRequest } from "@voice/provider-kit/ports/language-model";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Attributes } from "@voice/shared/telemetry/telemetry";
import { usageOf } from "../../output/turn-activities.ts";
import type { TurnActivities } from "../../output/turn-activities.ts";

export function timedModel(model: LanguageModel, activities: TurnActivities, clock: Clock): LanguageModel {
  return { stream: (request, signal) => timed(model.stream(request, signal), { request, signal, activities, clock }) };
}

interface Timing {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly activities: TurnActivities;
  readonly clock: Clock;
}

async function* timed(
  events: AsyncIterable<ModelEvent>,
  { request, signal, activities, clock }: Timing,
): AsyncGenerator<ModelEvent> {
  const model = request.settings.deploymentId;
  const startMs = clock.now();
  const attributes = { "gen_ai.operation.name": "chat", "gen_ai.request.model": model, ...agentOf(request) };
  const activity = activities.begin({ part: "model", name: `chat ${model}`, startMs, attributes });
  let answered: Attributes = {};
  try {
    for await (const event of events) {
      if (answered["gen_ai.response.time_to_first_chunk"] === undefined)
        answered = { "gen_ai.response.time_to_first_chunk": (clock.now() - startMs) / 1000 };
      if (event.type === "finished") answered = { ...answered, ...endOf(event) };
      yield event;
    }
    activity.end(clock.now(), { attributes: answered });
  } catch (error) {
    // A request that is cancelled with its reply is not a failure.
    const errorType = signal.aborted ? undefined : toVoiceError(error).code;
    activity.end(clock.now(), { attributes: answered, errorType });
    throw error;
  } finally {
    activity.end(clock.now(), { attributes: { ...answered, "voice.cancelled": true } });
  }
}

function agentOf({ agent }: ModelRequest): Attributes {
  return { "gen_ai.agent.name": agent.name };
}

function endOf({ reason, usage }: Extract<ModelEvent, { type: "finished" }>): Attributes {
  return {
    "gen_ai.response.finish_reasons": reason,
    ...(usage === undefined ? {} : usageOf(usage)),
  };
}
