/** The same conversations over a real socket: spoken by a synthetic voice, recognised, and answered. */
import { createServer, type Server } from "node:http";
import { availableParallelism } from "node:os";
import type { Catalog } from "@voice/shared/catalog/catalog";
import type { Clock } from "@voice/shared/platform/clock";
import { identityOf } from "@voice/shared/config/load-configuration";
import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import { demoTools } from "@voice/shared/demo/demo-parts";
import type { Tool } from "@voice/shared/tools/tool";
import { composeHost } from "@voice/streaming-host/compose/host";
import { openHost } from "@voice/streaming-host/compose/open-host";
import { givenProviders } from "@voice/streaming-host/compose/providers";
import { createLocalRecogniser } from "@voice/local-voice/recogniser/local-recogniser";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { createLocalSynthesiser } from "@voice/local-voice/synthesiser/local-synthesiser";
import { loadVoiceActivity } from "@voice/provider-kit/voice-activity/local-voice-activity";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { connectCaller } from "../caller/caller.ts";
import type { Caller } from "../caller/caller.ts";
import { hasWholeAnswer, readReply, type Reply } from "../person/reply.ts";
import { createDialogueClock } from "./dialogue-clock.ts";
import { dialogueSettings } from "./dialogue-settings.ts";
import { customerIdOf, customerSourceOf } from "./dialogue-customers.ts";
import type { DialogueCustomers } from "./dialogue-customers.ts";
import { answeredWithinMs, type DialogueLine, type OpenDialogueLine } from "./dialogue-line.ts";
import type { DialogueAction } from "./dialogue.ts";
import { backgroundOf, soundsOf, usualStyle, type CallerVoice, type SpeakingStyle } from "./speaking-style.ts";

export interface SpokenLines {
  readonly open: OpenDialogueLine;
  /** By a caller who speaks in this way. */
  openAs(style: SpeakingStyle): OpenDialogueLine;
  close(): Promise<void>;
}

const replyTimeoutMs = 12_000;
/** Longer than any dialogue should be, so that a caller and an agent who go round in circles are stopped. */
const callLimitMs = 180_000;

export interface SpokenLinesOptions {
  readonly catalog: Catalog;
  /** Those that are code; absent: the built-in ones. */
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
  const settings = dialogueSettings();
  const state = createMemoryState({ clock, logger: silentLogger });
  const [{ recogniser, synthesiser }, createVoiceActivityDetector] = await Promise.all([
    localSpeech?.() ?? startSpeech(clock),
    loadVoiceActivity(),
  ]);
  const languageModel = createRuleModel({ clock });
  const identity = identityOf(settings, () => import("@voice/shared/config/cloud"));
  const host = await composeHost(await openHost({ settings, state, clock, logger: silentLogger }, identity), {
    identity,
    catalog,
    tools,
    customers: await customerSourceOf(customers, state.profiles),
    providers: givenProviders({ recogniser, synthesiser, createVoiceActivityDetector, languageModel }),
  });
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on("upgrade", (request, socket, head) => {
    if (!host.host.handleUpgrade(request, socket, head)) socket.end("HTTP/1.1 404 Not Found\r\n\r\n");
  });
  const url = new URL(`ws://127.0.0.1:${await listenAnywhere(server)}/api/v1/browser/conversation`);

  const openAs =
    (style: SpeakingStyle): OpenDialogueLine =>
    async (dialogue) => {
      const { scenario, agent } = dialogue;
      const callUrl = new URL(url);
      const customerId = await customerIdOf(dialogue, customers, state.profiles);
      if (customerId !== undefined) callUrl.searchParams.set("profile_id", customerId);
      const hangUp = new AbortController();
      const caller = await connectCaller({
        url: callUrl,
        scenario,
        agent,
        clock,
        signal: hangUp.signal,
        background: backgroundOf(style),
      });
      const cancelLimit = clock.setTimer(callLimitMs, () =>
        hangUp.abort(new VoiceError("upstream_timeout", `the call lasted ${callLimitMs} ms, its limit`)),
      );
      return new SpokenLine(caller, { synthesiser, style }, cancelLimit);
    };
  return {
    open: openAs(usualStyle()),
    openAs,
    async close() {
      await host.close(0);
      server.close();
      server.closeAllConnections();
      await state.close();
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

class SpokenLine implements DialogueLine {
  readonly #caller: Caller;
  readonly #voice: CallerVoice;
  readonly #cancelLimit: () => void;
  /** The position of the latest action in the caller's records. */
  #first = 0;
  /** Counted from the caller's last sample; known only after waiting for an answer. */
  #firstAudioMs: number | undefined;

  constructor(caller: Caller, voice: CallerVoice, cancelLimit: () => void) {
    this.#caller = caller;
    this.#voice = voice;
    this.#cancelLimit = cancelLimit;
  }

  get reply(): Reply {
    return { ...readReply(this.#caller.records.slice(this.#first), 0), firstAudioMs: this.#firstAudioMs };
  }

  async act(action: DialogueAction): Promise<void> {
    this.#first = this.#caller.records.length;
    this.#firstAudioMs = undefined;
    switch (action.kind) {
      case "dtmf":
        this.#caller.press(action.keys);
        return;
      case "type":
        this.#caller.type(action.text);
        return;
      case "pause":
        this.#caller.control("pause");
        await this.#caller.pause(action.lastingMs);
        this.#caller.control("start");
        return;
      case "cough":
      case "say":
      case "unclear": {
        const sounds = await soundsOf(action, this.#voice, this.#caller.session.sample_rate);
        if (sounds !== undefined) await this.#caller.speak(sounds);
        return;
      }
      default:
        action satisfies never;
    }
  }

  async hearOut(): Promise<void> {
    const heard = await this.#caller.waitForReply({ timeoutMs: replyTimeoutMs, isAnswer: hasWholeAnswer });
    this.#firstAudioMs = heard.firstAudioMs;
  }

  async hearNothing(): Promise<void> {
    await this.#caller.pause(answeredWithinMs);
    ({ firstAudioMs: this.#firstAudioMs } = readReply(this.#caller.records.slice(this.#first), 0));
  }

  async hearBeginning(afterMs: number): Promise<void> {
    await this.#caller.waitForAgentAudio(replyTimeoutMs);
    await this.#caller.pause(afterMs);
  }

  async close(): Promise<void> {
    this.#cancelLimit();
    this.#caller.close();
  }
}

/** Returns the port that the system chose. */
async function listenAnywhere(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
