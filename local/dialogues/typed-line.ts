/**
 * A conversation without a socket, a microphone or waiting: everything between the transport and the providers is the product's own, on a
 * clock that jumps. The agents' speech takes simulated time, so that it can be interrupted.
 */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { loadSettings } from "@voice/shared/config/load";
import type { Usage } from "@voice/shared/costs/usage";
import { VoiceError } from "@voice/shared/platform/errors";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { demoTools } from "@voice/shared/demo/demo-parts";
import type { Tool } from "@voice/shared/tools/tool";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { createRuleModel } from "@voice/local-voice/rule-model/rule-model";
import { FakeRecogniser } from "@voice/streaming-host/testing/fake-recogniser";
import { FakeSynthesiser } from "@voice/streaming-host/testing/fake-synthesiser";
import { hasWholeAnswer, latestState, readReply, type Reply } from "../person/reply.ts";
import { dialogueStartMs } from "./dialogue-clock.ts";
import { connectCaller, type ConnectedCaller } from "./connect-caller.ts";
import { waitForModel } from "./configured-model.ts";
import type { DialogueModel } from "./configured-model.ts";
import type { DialogueCustomers } from "./dialogue-customers.ts";
import { answeredWithinMs, type DialogueLine } from "./dialogue-line.ts";
import type { Dialogue, DialogueAction } from "./dialogue.ts";
import { partsOf } from "./speaking-style.ts";
import { noOutsideTools, type OutsideTools } from "./outside-tools.ts";
import type { RecordingTransport } from "./recording-transport.ts";

const stepMs = 40;
/** A fast speaker: answers are shorter to wait for, but still long enough to be interrupted. */
const msPerCharacter = 25;
const frameMs = 20;
/** Shorter sounds are coughs (TURN-13). */
const shortestSoundMs = 700;
const coughMs = 200;
/** Until the detector has noticed the end. */
const silenceAfterMs = 200;
/** Longer than anything between two parts of one answer. */
const quietMs = 200;
/** The longest time in which nothing may happen. */
const patienceMs = 8000;
const settings = loadSettings({});

/** Opens lines that report the usage and the id of their conversation. */
export type OpenTypedLine = (
  dialogue: Dialogue,
) => Promise<DialogueLine & Pick<ConnectedCaller, "usage" | "sessionId">>;

export interface TypedLinesOptions {
  /** Those that are code; absent: the built-in ones and the demonstration's. */
  readonly code?: ReadonlyMap<string, Tool>;
  readonly outside?: OutsideTools;
  /** Absent: the rules on this machine answer. */
  readonly model?: DialogueModel | undefined;
  /** Absent: the demonstration's. */
  readonly customers?: DialogueCustomers;
}

export function createTypedLines(catalog: Catalog, options: TypedLinesOptions = {}): OpenTypedLine {
  const { code = demoTools, outside: given = noOutsideTools, model: own, customers = { kind: "demo" } } = options;
  const tools = new Map([...code, ...given.tools]);
  return async (dialogue) => {
    const clock = new VirtualClock(dialogueStartMs);
    // Each conversation waits only for its own requests.
    const { model, outside } =
      own === undefined
        ? { model: createRuleModel({ clock }), outside: given }
        : waitForModel(own.languageModel, given);
    const caller = await connectCaller(dialogue, {
      clock,
      settings: own?.settings ?? settings,
      catalog,
      tools,
      customers,
      providers: {
        recogniser: createWordlessRecogniser(),
        synthesiser: new FakeSynthesiser(clock, msPerCharacter),
        languageModel: model,
        billed: own && { languageModel: own.name },
        createVoiceActivityDetector: () => ({ isSpeech: (frame) => rmsLevel(frame) > 0, close: () => undefined }),
      },
      prices: own?.prices,
    });
    return new TypedLine(clock, caller, outside);
  };
}

/** Only what nobody understands is ever spoken on a typed line. */
function createWordlessRecogniser(): FakeRecogniser {
  const recogniser = new FakeRecogniser();
  recogniser.keepsFrames = false;
  recogniser.finalOnFlush = "";
  return recogniser;
}

class TypedLine implements DialogueLine {
  readonly #clock: VirtualClock;
  readonly #transport: RecordingTransport;
  readonly #outside: OutsideTools;
  readonly #caller: ConnectedCaller;
  /** The position of the caller's latest action in the transport's records, and its time. */
  #first = 0;
  #sinceMs: number;

  constructor(clock: VirtualClock, caller: ConnectedCaller, outside: OutsideTools) {
    this.#clock = clock;
    this.#caller = caller;
    this.#transport = caller.transport;
    this.#outside = outside;
    this.#sinceMs = clock.now();
  }

  get sessionId(): string {
    return this.#caller.sessionId;
  }

  usage(): Promise<Usage> {
    return this.#caller.usage();
  }

  get reply(): Reply {
    return readReply(this.#transport.records.slice(this.#first), this.#sinceMs);
  }

  async act(action: DialogueAction): Promise<void> {
    this.#first = this.#transport.records.length;
    this.#sinceMs = this.#clock.now();
    const { events } = this.#transport;
    switch (action.kind) {
      case "dtmf":
        events.onDigits(action.keys);
        break;
      case "unclear":
        await this.#makeSounds(Math.max(action.text.length * msPerCharacter, shortestSoundMs));
        break;
      case "cough":
        await this.#makeSounds(coughMs);
        break;
      case "pause":
        events.onControl("pause");
        await this.#clock.advanceAsync(action.lastingMs, stepMs);
        events.onControl("start");
        break;
      case "say":
      case "type":
        events.onText(partsOf(action.text).join(" "));
        break;
      default:
        action satisfies never;
    }
  }

  /** Any sound will do: the line's detector takes it for speech, and its recogniser finds no words in it. */
  async #makeSounds(lastingMs: number): Promise<void> {
    const samples = (frameMs * this.#transport.sampleRateHz) / 1000;
    const speech = new Int16Array(samples).fill(3000);
    const silence = new Int16Array(samples);
    for (let atMs = 0; atMs < lastingMs + silenceAfterMs; atMs += frameMs) {
      this.#transport.events.onAudio(atMs < lastingMs ? speech : silence);
      await this.#clock.advanceAsync(frameMs, frameMs);
    }
    this.#sinceMs = this.#clock.now() - silenceAfterMs;
  }

  hearOut(): Promise<void> {
    return this.#until(() => {
      if (this.#clock.now() - this.#transport.lastActivityMs < quietMs) return false;
      if (this.reply.ended !== undefined) return true;
      return latestState(this.#transport.records) === "listening" && hasWholeAnswer(this.reply);
    });
  }

  async hearNothing(): Promise<void> {
    await this.#clock.advanceAsync(answeredWithinMs, stepMs);
  }

  async hearBeginning(afterMs: number): Promise<void> {
    await this.#until(() => this.reply.firstAudioMs !== undefined);
    await this.#clock.advanceAsync(afterMs, stepMs);
  }

  close(): Promise<void> {
    return this.#caller.hangUp();
  }

  async #until(isOver: () => boolean): Promise<void> {
    const fromMs = this.#clock.now();
    while (!isOver()) {
      if (this.#clock.now() - Math.max(fromMs, this.#transport.lastActivityMs) > patienceMs)
        throw new VoiceError("upstream_timeout", `nothing within ${patienceMs} ms`);
      await this.#outside.settled();
      await this.#clock.advanceAsync(stepMs, stepMs);
    }
  }
}
