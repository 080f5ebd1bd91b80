/** Records a request to the language model among a reply's activities, following the GenAI conventions. */
import type { ModelRequest } from "@voice/provider-kit/ports/language-model";
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Attributes } from "@voice/shared/telemetry/telemetry";
import type { AskedModel, FinishedAnswer } from "../../../pipeline/cascade/ask-model.ts";
import { usageOf } from "../../output/turn-activities.ts";
import type { OpenActivity, TurnActivities } from "../../output/turn-activities.ts";

export class ModelActivity implements AskedModel {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #activity: OpenActivity;
  #answered: Attributes = {};

  constructor({ agent, settings }: ModelRequest, activities: TurnActivities, clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.now();
    const model = settings.deploymentId;
    this.#activity = activities.begin({
      part: "model",
      name: `chat ${model}`,
      startMs: this.#startMs,
      attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": model, "gen_ai.agent.name": agent.name },
    });
  }

  onFirstEvent(): void {
    this.#answered = { "gen_ai.response.time_to_first_chunk": (this.#clock.now() - this.#startMs) / 1000 };
  }

  onFinished({ reason, usage }: FinishedAnswer): void {
    this.#answered = { ...this.#answered, "gen_ai.response.finish_reasons": reason, ...(usage && usageOf(usage)) };
  }

  onEnded(): void {
    this.#end({ attributes: this.#answered });
  }

  onFailed(error: unknown): void {
    this.#end({ attributes: this.#answered, errorType: toVoiceError(error).code });
  }

  onCancelled(): void {
    this.#end({ attributes: { ...this.#answered, "voice.cancelled": true } });
  }

  #end(outcome: Parameters<OpenActivity["end"]>[1]): void {
    this.#activity.end(this.#clock.now(), outcome);
  }
}
