/** A live conversation as the wall shows it: its last words, who has the floor, since when nobody speaks, and whether it needs somebody. Pure. */
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";

import type { AgentState } from "../conversation/conversation-view.ts";

export interface LiveCard {
  readonly sessionId: string;
  readonly agent: string | undefined;
  /** Undefined until the service says so. */
  readonly state: AgentState | undefined;
  readonly stateSinceMs: number;
  /** When somebody spoke last, or it was first seen. */
  readonly soundAtMs: number;
  readonly words:
    | { readonly speaker: "caller" | "agent"; readonly text: string; readonly turnId?: string | undefined }
    | undefined;
  readonly failure: { readonly message: string; readonly atMs: number } | undefined;
  readonly isOver: boolean;
}

export interface Need {
  /** 2: somebody has to look. 1: it may come to that. 0: nothing. */
  readonly level: 0 | 1 | 2;
  readonly sentence: string;
  readonly sinceMs: number;
}

/** Louder than the noise of a quiet line. */
const audibleLevel = 0.02;
const slowAnswerMs = 3000;
const overdueAnswerMs = 7000;
const quietMs = 8000;
const longSilenceMs = 20_000;
const failureShownMs = 60_000;
const longestWords = 300;

export function newCard(sessionId: string, nowMs: number): LiveCard {
  return {
    sessionId,
    agent: undefined,
    state: undefined,
    stateSinceMs: nowMs,
    soundAtMs: nowMs,
    words: undefined,
    failure: undefined,
    isOver: false,
  };
}

/** The same card if the message changes nothing that the wall shows. `nowMs`: when it was received, because the page's clock counts. */
export function reduceCard(card: LiveCard, message: ServerMessage, nowMs: number): LiveCard {
  switch (message.type) {
    case "transcript": {
      const { text, speaker } = message.payload;
      if (speaker !== "user" || text === "") return card;
      return { ...card, soundAtMs: nowMs, words: { speaker: "caller", text: lastPart(text) } };
    }
    case "response":
    case "agent_response":
      return addResponse(card, message.payload, nowMs);
    case "audio_levels": {
      const { input, output } = message.payload;
      return Math.max(input, output) > audibleLevel ? { ...card, soundAtMs: nowMs } : card;
    }
    case "error":
      return { ...card, failure: { message: message.payload.message, atMs: nowMs } };
    case "handoff":
      return { ...card, agent: message.payload.to };
    case "session":
      return { ...card, agent: message.payload.agent, isOver: false };
    case "event":
      return applyEvent(card, message.payload, nowMs);
    default:
      return card;
  }
}

function addResponse(
  card: LiveCard,
  { text, agent, turn_id: turnId, is_final: isFinal }: Extract<ServerMessage, { type: "response" }>["payload"],
  nowMs: number,
): LiveCard {
  const { words } = card;
  const isSameTurn = words?.speaker === "agent" && words.turnId === turnId;
  const whole = isFinal || !isSameTurn ? text : words.text + text;
  if (whole === "") return card;
  return {
    ...card,
    agent,
    soundAtMs: isFinal ? nowMs : card.soundAtMs,
    words: { speaker: "agent", text: lastPart(whole), turnId },
  };
}

function applyEvent(
  card: LiveCard,
  event: Extract<ServerMessage, { type: "event" }>["payload"],
  nowMs: number,
): LiveCard {
  switch (event.name) {
    case "state_change": {
      const { state, agent } = event;
      if (state === card.state) return { ...card, agent };
      // Whoever stops speaking has been heard until now.
      const soundAtMs = card.state === "speaking" || state === "speaking" ? nowMs : card.soundAtMs;
      return { ...card, agent, state, stateSinceMs: nowMs, soundAtMs };
    }
    case "handoff":
      return { ...card, agent: event.to };
    case "session_ended":
      return { ...card, isOver: true };
    default:
      return card;
  }
}

export function silenceMs({ state, soundAtMs }: Pick<LiveCard, "state" | "soundAtMs">, nowMs: number): number {
  return state === "speaking" ? 0 : Math.max(0, nowMs - soundAtMs);
}

export function needOf(card: LiveCard, nowMs: number): Need {
  const { state, stateSinceMs, soundAtMs, failure } = card;
  const waitedMs = state === "thinking" ? nowMs - stateSinceMs : 0;
  const silentMs = silenceMs(card, nowMs);
  if (waitedMs >= overdueAnswerMs)
    return { level: 2, sentence: `Waiting for an answer for ${inSeconds(waitedMs)}`, sinceMs: stateSinceMs };
  if (failure !== undefined && nowMs - failure.atMs < failureShownMs)
    return { level: 2, sentence: failure.message, sinceMs: failure.atMs };
  if (state === "listening" && silentMs >= longSilenceMs)
    return { level: 2, sentence: `Silent for ${inSeconds(silentMs)}`, sinceMs: soundAtMs };
  if (waitedMs >= slowAnswerMs)
    return { level: 1, sentence: `Waiting for an answer for ${inSeconds(waitedMs)}`, sinceMs: stateSinceMs };
  if (state === "listening" && silentMs >= quietMs)
    return { level: 1, sentence: `Silent for ${inSeconds(silentMs)}`, sinceMs: soundAtMs };
  return { level: 0, sentence: "", sinceMs: nowMs };
}

export interface Placed<Card extends LiveCard> {
  readonly card: Card;
  readonly need: Need;
}

/** What needs somebody first, the longest wait before the others; all else stays in the order of its beginning. */
export function byNeed<Card extends LiveCard & { readonly startedAtMs: number }>(
  cards: readonly Card[],
  nowMs: number,
): readonly Placed<Card>[] {
  return cards
    .map((card) => ({ card, need: needOf(card, nowMs) }))
    .toSorted(
      (one, other) =>
        other.need.level - one.need.level ||
        (one.need.level === 2 ? one.need.sinceMs - other.need.sinceMs : 0) ||
        one.card.startedAtMs - other.card.startedAtMs ||
        (one.card.sessionId < other.card.sessionId ? -1 : 1),
    );
}

function inSeconds(ms: number): string {
  return `${Math.floor(ms / 1000)} s`;
}

function lastPart(text: string): string {
  return text.length <= longestWords ? text : `…${text.slice(-longestWords)}`;
}
