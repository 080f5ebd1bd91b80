/** Has what one conversation uses counted and stored with it. Parts that nobody has to be paid for stay as they are. */
import { nothingBilled } from "@voice/shared/costs/billed-names";
import type { Prices } from "@voice/shared/costs/prices";
import type { Clock } from "@voice/shared/platform/clock";
import { createSummaryWriter } from "../../../pipeline/cascade/write-summary.ts";
import type { WriteSummary } from "../../../pipeline/cascade/write-summary.ts";
import type { Conversation } from "../../../session/conversation/conversation.ts";
import type { ConversationRequest } from "../../../session/conversation/open-conversation.ts";
import { countCallTime } from "../../../session/usage/call-time.ts";
import { meteredLanguageModel } from "../../../session/usage/metered-language-model.ts";
import { meteredRealtimeModel, meteredRecogniser, meteredSynthesiser } from "../../../session/usage/metered-speech.ts";
import { UsageMeter } from "../../../session/usage/usage-meter.ts";
import type { SessionTelemetry } from "../../../telemetry/session-telemetry.ts";
import type { Providers } from "../providers.ts";

export interface MeteredConversation {
  readonly providers: Providers;
  readonly writeSummary: WriteSummary | undefined;
  /** From now on, what is used is stored with the conversation. */
  follow(
    conversation: Conversation,
    request: Pick<ConversationRequest, "billedCall">,
    telemetry: Pick<SessionTelemetry, "used">,
  ): void;
}

export class ConversationMeters {
  readonly #providers: Providers;
  readonly #prices: Prices;
  readonly #clock: Clock;

  constructor(providers: Providers, prices: Prices, clock: Clock) {
    this.#providers = providers;
    this.#prices = prices;
    this.#clock = clock;
  }

  begin(): MeteredConversation {
    const clock = this.#clock;
    let followed: Conversation | undefined;
    const meter = new UsageMeter(this.#prices, () => followed?.agent.name ?? "");
    const providers = meteredProviders(this.#providers, meter);
    const { summaryModel } = providers;
    return {
      providers,
      writeSummary: summaryModel && createSummaryWriter(summaryModel, clock),
      follow(conversation, { billedCall }, telemetry) {
        followed = conversation;
        if (billedCall !== undefined)
          countCallTime(billedCall, conversation.record.usage ?? {}, () => clock.wallNow(), meter);
        conversation.meterUsage({
          take() {
            const usage = meter.take();
            if (usage !== undefined) telemetry.used(usage);
            return usage;
          },
          takeTurn: () => meter.takeTurn(),
        });
      },
    };
  }
}

function meteredProviders(providers: Providers, meter: UsageMeter): Providers {
  const { recogniser, synthesiser, languageModel, summaryModel, realtimeModel, billed = nothingBilled } = providers;
  const { languageModel: modelName, realtimeModel: realtimeName, recognition, synthesis } = billed;
  const meteredModel = (model: typeof languageModel) =>
    modelName === undefined ? model : meteredLanguageModel(model, modelName, meter);
  return {
    ...providers,
    recogniser: recognition === undefined ? recogniser : meteredRecogniser(recogniser, recognition, meter),
    synthesiser: synthesis === undefined ? synthesiser : meteredSynthesiser(synthesiser, synthesis, meter),
    languageModel: meteredModel(languageModel),
    summaryModel: summaryModel && meteredModel(summaryModel),
    realtimeModel:
      realtimeModel && realtimeName !== undefined
        ? meteredRealtimeModel(realtimeModel, realtimeName, billed.realtimeTranscription, meter)
        : realtimeModel,
  };
}
