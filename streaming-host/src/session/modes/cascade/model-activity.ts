/** Records a request to the language model among a reply's activities, following the GenAI conventions. */
import type { ModelRequest } from "@voice/provider-kit/ports/language-model";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Attributes } from "@voice/shared/telemetry/telemetry";
import type { AskedModel } from "../../../pipeline/cascade/ask-model.ts";
import { usageOf } from "../../output/turn-activities.ts";
import type { TurnActivities } from "../../output/turn-activities.ts";

export function beginModelActivity(
  { agent, settings }: ModelRequest,
  activities: TurnActivities,
  clock: Clock,
): AskedModel {
  const startMs = clock.now();
  const model = settings.deploymentId;
  const activity = activities.begin({
    part: "model",
    name: `chat ${model}`,
    startMs,
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": model, "gen_ai.agent.name": agent.name },
  });
  let attributes: Attributes = {};
  return {
    onFirstEvent() {
      attributes = { "gen_ai.response.time_to_first_chunk": (clock.now() - startMs) / 1000 };
    },
    onFinished({ reason, usage }) {
      attributes = { ...attributes, "gen_ai.response.finish_reasons": reason, ...(usage && usageOf(usage)) };
    },
    onEnded: () => activity.end(clock.now(), { attributes }),
    onFailed: (error) => activity.end(clock.now(), { attributes, errorType: toVoiceError(error).code }),
    onCancelled: () => activity.end(clock.now(), { attributes: { ...attributes, "voice.cancelled": true } }),
  };
}
