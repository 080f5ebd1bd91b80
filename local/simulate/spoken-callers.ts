/**
 * Callers who speak: their words are synthesised, and the product's own agents hear them through the recogniser that the
 * settings name and answer by their synthesiser. Between them is no socket and no telephone network.
 */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { identityOf } from "@voice/shared/config/load-configuration";
import { partsOf } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { languageName } from "@voice/shared/conversation/language-instructions";
import { billedNamesOf } from "@voice/shared/costs/billed-names";
import type { Clock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createScaledClock } from "@voice/shared/platform/scaled-clock";
import type { ScaledClock } from "@voice/shared/platform/scaled-clock";
import type { Tool } from "@voice/shared/tools/tool";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { composeVoiceActivity } from "@voice/streaming-host/compose/voice-activity";
import { composeRecogniser, composeSynthesiser } from "@voice/streaming-host/compose/speech";
import { countedSynthesiser } from "@voice/streaming-host/pipeline/speaking/counted-synthesiser";
import { SharedSynthesiser } from "@voice/streaming-host/pipeline/speaking/shared-synthesiser";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import type { Providers } from "@voice/streaming-host/server/conversations/providers";
import type { DialogueModel } from "../dialogues/configured-model.ts";
import { connectCaller } from "../dialogues/connect-caller.ts";
import type { DialogueCustomers } from "../dialogues/dialogue-customers.ts";
import { createDialogueClock } from "../dialogues/dialogue-clock.ts";
import type { Dialogue } from "../dialogues/dialogue.ts";
import type { CallerVoice } from "../dialogues/speaking-style.ts";
import { SpokenLine } from "../dialogues/spoken-line.ts";
import { callersStyle, isEnglish } from "./callers-language.ts";
import type { SimulatedLine } from "./simulated-line.ts";

import type { LanguageModel, ModelEvent } from "@voice/provider-kit/ports/language-model";

export interface SpokenCallers {
  /** What keeps the callers from being understood, a line for each; empty if nothing does. */
  readonly caveats: readonly string[];
  open(dialogue: Dialogue, agents: DialogueModel): Promise<SimulatedLine>;
  /** Nothing happens in any of the conversations until the returned function is called. */
  holdTime(): () => void;
  close(): Promise<void>;
}

export interface SpokenCallersOptions {
  readonly catalog: Catalog;
  /** The settings that name the speech services. */
  readonly settings: Settings;
  /** The callers' (BCP 47). */
  readonly language: string;
  /** The tools that are code, of this service and of TOOLS_DIR. */
  readonly code: ReadonlyMap<string, Tool>;
  /** The tools of the catalog, apart from the built-in ones. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly customers: DialogueCustomers;
  /** Where absent: fast if all speech is made on this machine, and otherwise as slow as the services that make it. */
  readonly time?: ScaledClock;
  /** Engines that are already running. */
  readonly localSpeech?: () => Promise<LocalSpeech>;
}

/** The clock waits for the engines of this machine, so this only sets how fast silences pass. */
const fastestPace = 8;
const maxKeptBytes = 16 * 1024 * 1024;

export async function createSpokenCallers(options: SpokenCallersOptions): Promise<SpokenCallers> {
  const { catalog, settings, language, customers, localSpeech } = options;
  const { recognition, synthesis } = partsOf(settings);
  const isLocal = recognition.kind === "local" && synthesis.kind === "local";
  const time = options.time ?? createScaledClock(isLocal ? fastestPace : 1);
  const logger = silentLogger;
  const { tokenFor: tokens } = identityOf(settings, () => import("@voice/shared/config/cloud"));
  const common = { settings, tokens, clock: time, logger, localSpeech };
  const voiceActivity = await composeVoiceActivity(common);
  const [{ recogniser }, { synthesiser: agentsVoice }] = await Promise.all([
    composeRecogniser(common, voiceActivity),
    composeSynthesiser(common),
  ]);
  // The local voice costs nothing and is recognised well, but speaks only English.
  const callersVoice =
    synthesis.kind === "local" || !isEnglish(language)
      ? agentsVoice
      : await createLocalSynthesiser({ clock: time, logger });
  const synthesiser = new SharedSynthesiser(countedSynthesiser(agentsVoice), maxKeptBytes);
  const shared = {
    catalog,
    customers,
    tools: new Map([...options.code, ...toolsInRealTime(options.tools, time)]),
    time,
    clock: createDialogueClock(time),
    speech: { recogniser, synthesiser, createVoiceActivityDetector: voiceActivity },
    callersVoice: { synthesiser: callersVoice, style: callersStyle(language, settings) },
  };
  return {
    caveats: caveatsOf(settings, language),
    holdTime: time.hold,
    open: (dialogue, agents) => openLine(dialogue, agents, shared),
    async close() {
      await Promise.all([recogniser.close(), synthesiser.close(), callersVoice.close()]);
    },
  };
}

interface SharedParts {
  readonly catalog: Catalog;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly customers: DialogueCustomers;
  readonly time: ScaledClock;
  /** The same, on the day of all dialogues. */
  readonly clock: Clock;
  readonly speech: Pick<Providers, "recogniser" | "synthesiser" | "createVoiceActivityDetector">;
  readonly callersVoice: CallerVoice;
}

async function openLine(
  dialogue: Dialogue,
  { languageModel, name, settings, prices }: DialogueModel,
  { catalog, tools, customers, time, clock, speech, callersVoice: voice }: SharedParts,
): Promise<SimulatedLine> {
  const billed = { ...billedNamesOf(partsOf(settings)), languageModel: name };
  const providers = { ...speech, languageModel: inRealTime(languageModel, time), billed };
  const caller = await connectCaller(dialogue, { clock, settings, catalog, tools, customers, providers, prices });
  return new SpokenLine({ clock, caller, voice });
}

function caveatsOf(settings: Settings, language: string): readonly string[] {
  const { recognition, synthesis } = partsOf(settings);
  return [
    ...(recognition.kind === "local"
      ? [
          "The recogniser of this machine understands only sentences that are near to the agents' examples; callers who say anything else are not understood (docs/models.md names others).",
        ]
      : []),
    ...(synthesis.kind === "local" && !isEnglish(language)
      ? [
          `The voice of this machine speaks English only: callers who speak ${languageName(language)} need another one (docs/models.md names some).`,
        ]
      : []),
  ];
}

/**
 * Has a clock that is faster than real time slow down while something outside of the process answers. So an answer takes as
 * long as it does for a caller, and no deadline is shorter than it says.
 */
function inRealTime(model: LanguageModel, time: ScaledClock): LanguageModel {
  async function* answered(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
    const goOn = time.slowDown();
    try {
      yield* events;
    } finally {
      goOn();
    }
  }
  return { stream: (request, signal) => answered(model.stream(request, signal)) };
}

function toolsInRealTime(tools: ReadonlyMap<string, Tool>, time: ScaledClock): ReadonlyMap<string, Tool> {
  const slowed = (tool: Tool): Tool => ({
    ...tool,
    async run(args, context) {
      const goOn = time.slowDown();
      try {
        return await tool.run(args, context);
      } finally {
        goOn();
      }
    },
  });
  return new Map([...tools].map(([name, tool]) => [name, slowed(tool)]));
}
