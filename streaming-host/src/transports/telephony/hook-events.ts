/** HOOK-14: the entities that the platform is sent during the conversation, limited to those that it requested. */
import { randomUUID } from "node:crypto";
import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";
import type { SessionNotice } from "../transport.ts";
import type { PlatformTime } from "./platform-time.ts";

export const hookEventNames = ["transcript", "agent_transcript", "bot_turn_response"] as const;
export type HookEventName = (typeof hookEventNames)[number];

export const defaultHookEvents: readonly HookEventName[] = ["transcript"];

type Response = ServerPayloads["response"];

export class HookEvents {
  readonly #wanted: ReadonlySet<HookEventName>;
  readonly #callerChannel: number;
  readonly #time: PlatformTime;
  /** The caller has said something, and no reply to it was heard. */
  #isSpokenTo = false;
  /** The turn of the reply that was reported last; undefined before the greeting. */
  #turnId: string | undefined;

  constructor(
    wanted: readonly HookEventName[],
    /** The index of the caller among the platform's channels; the agent has the other one. */
    callerChannel: number,
    time: PlatformTime,
  ) {
    this.#wanted = new Set(wanted);
    this.#callerChannel = callerChannel;
    this.#time = time;
  }

  entitiesOf(notice: SessionNotice): object[] {
    if (notice.type === "transcript") return this.#ofCaller(notice.payload);
    return notice.type === "response" ? this.#ofAgent(notice.payload) : [];
  }

  #ofCaller(words: ServerPayloads["transcript"]): object[] {
    if (words.speaker !== "user" || !words.is_final) return [];
    if (this.#turnId === undefined || words.turn_id !== this.#turnId) this.#isSpokenTo = true; // otherwise they arrive after their reply
    // The platform already has the keys, and stores its transcripts for others to read; the keys may be a card number.
    if (words.keyed === true || !this.#wanted.has("transcript")) return [];
    const { text, start_ms: startMs, end_ms: endMs } = words;
    const fromMs = startMs === undefined ? undefined : this.#time.of(startMs);
    const untilMs = endMs === undefined ? undefined : this.#time.of(endMs);
    return [transcriptEntity({ id: randomUUID(), text, channelId: this.#callerChannel, fromMs, untilMs })];
  }

  #ofAgent({ text, turn_id: turnId, is_final: isFinal, is_answer: answers }: Response): object[] {
    if (!isFinal || text === "") return [];
    const channelId = 1 - this.#callerChannel;
    const told = this.#wanted.has("agent_transcript") ? [transcriptEntity({ id: randomUUID(), text, channelId })] : [];
    return [...told, ...this.#turnResponse(text, turnId, answers === true)];
  }

  /** One for each turn. The greeting does not respond to a turn. */
  #turnResponse(text: string, turnId: string, answers: boolean): object[] {
    if (this.#turnId === turnId) return [];
    const isAnswer = this.#isSpokenTo || answers;
    const isGreeting = this.#turnId === undefined && !isAnswer;
    this.#turnId = turnId;
    this.#isSpokenTo = false;
    if (isGreeting || !this.#wanted.has("bot_turn_response")) return [];
    // Nothing shows whether a model has understood what it answers, so `no_match` is never sent.
    return [{ type: "bot_turn_response", data: { disposition: isAnswer ? "match" : "no_input", text } }];
  }
}

interface SaidWords {
  readonly id: string;
  readonly text: string;
  readonly channelId: number;
  /** When the words began, on the platform's clock; absent if that is not known. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** Formats a transcript as the platform's `transcript` entity. */
function transcriptEntity({ id, text, channelId, fromMs, untilMs }: SaidWords): object {
  return {
    type: "transcript",
    data: {
      id,
      channelId,
      isFinal: true,
      ...(fromMs === undefined ? {} : { offset: duration(fromMs) }),
      ...(fromMs === undefined || untilMs === undefined ? {} : { duration: duration(untilMs - fromMs) }),
      // The field is mandatory, and the recogniser reports no confidence.
      alternatives: [{ confidence: 1, interpretations: [{ type: "display", transcript: text }] }],
    },
  };
}

function duration(ms: number): string {
  return `PT${(Math.max(0, ms) / 1000).toFixed(3)}S`;
}
