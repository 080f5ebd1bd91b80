/** The same conversations, spoken by a synthetic voice, recognised, and answered: nothing is left out but the socket. */
import { availableParallelism } from "node:os";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { demoTools } from "@voice/shared/demo/demo-parts";
import type { Tool } from "@voice/shared/tools/tool";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { connectCaller } from "./connect-caller.ts";
import { createDialogueClock } from "./dialogue-clock.ts";
import { dialogueSettings } from "./dialogue-settings.ts";
import type { DialogueCustomers } from "./dialogue-customers.ts";
import type { OpenDialogueLine } from "./dialogue-line.ts";
import { usualStyle, type SpeakingStyle } from "./speaking-style.ts";
import { SpokenLine } from "./spoken-line.ts";

export interface SpokenLines {
  readonly open: OpenDialogueLine;
  /** Opens lines for a caller who speaks in this style. */
  openAs(style: SpeakingStyle): OpenDialogueLine;
  close(): Promise<void>;
}

export interface SpokenLinesOptions {
  readonly catalog: Catalog;
  /** All that the agents may call; absent: the built-in ones and the demonstration's. */
  readonly tools?: ReadonlyMap<string, Tool>;
  /** Absent: the demonstration's. */
  readonly customers?: DialogueCustomers;
  /** The clock that the conversations run on; real time where absent. */
  readonly time?: Clock;
  /** Engines that are already running; where absent, new ones are started with a thread for each core. */
  readonly localSpeech?: () => Promise<LocalSpeech>;
}

export async function createSpokenLines(options: SpokenLinesOptions): Promise<SpokenLines> {
  const { catalog, tools = demoTools, customers = { kind: "demo" }, localSpeech } = options;
  const clock = createDialogueClock(options.time);
  const [{ recogniser, synthesiser }, createVoiceActivityDetector] = await Promise.all([
    localSpeech?.() ?? startSpeech(clock),
    loadVoiceActivity(),
  ]);
  const languageModel = createRuleModel({ clock });
  const providers = { recogniser, synthesiser, createVoiceActivityDetector, languageModel };
  const called = { clock, settings: dialogueSettings(), catalog, tools, customers, providers };
  const openAs =
    (style: SpeakingStyle): OpenDialogueLine =>
    async (dialogue) =>
      new SpokenLine({ clock, caller: await connectCaller(dialogue, called), voice: { synthesiser, style } });
  return {
    open: openAs(usualStyle()),
    openAs,
    async close() {
      await Promise.all([recogniser.close(), synthesiser.close()]);
    },
  };
}

async function startSpeech(clock: Clock): Promise<LocalSpeech> {
  const [recogniser, synthesiser] = await Promise.all([
    createLocalRecogniser({ workers: availableParallelism(), clock, logger: silentLogger }),
    createLocalSynthesiser({ clock, logger: silentLogger }),
  ]);
  return { recogniser, synthesiser };
}
