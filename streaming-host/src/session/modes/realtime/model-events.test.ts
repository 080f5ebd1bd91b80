import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";
import { initialTurnState } from "../../turn/turn-state.ts";
import type { TurnState } from "../../turn/turn-state.ts";
import { ModelEvents } from "./model-events.ts";

function rig(state: Partial<TurnState> = {}, voiceUntilMs?: number) {
  const log: string[] = [];
  const stops: number[] = [];
  const clock = new VirtualClock();
  const events = new ModelEvents({
    loop: {
      dispatch: (event) => {
        log.push(event.type === "final" ? `final ${event.text}` : event.type);
        if (event.type === "speech-stopped") stops.push(event.stoppedMs);
      },
      state: { ...initialTurnState(0), ...state },
    },
    words: { partial: (text) => log.push(`partial ${text}`), whole: (text) => log.push(`whole ${text}`) },
    replies: { hasResponse: false, isEarly: () => false, onEvent: (event) => log.push(`reply ${event.type}`) },
    positions: { appendedMs: () => 5000, heardMs: () => 5000, voiceUntilMs: () => voiceUntilMs },
    beginTurn: () => ({ turnId: "turn-1", begunAtMs: 1 }),
    replyRemainingMs: () => 0,
    onSpeechStarted: () => log.push("look"),
    onWords: () => undefined,
    onRefused: ({ code }) => log.push(code),
    onUntranscribed: ({ code }, { isNews }) => log.push(`untranscribed ${code}${isNews ? "" : " again"}`),
    onRepaired: ({ part, how }) => log.push(`${how} ${part}`),
    clock,
    logger: silentLogger,
  });
  const say = (text: string, isFinal: boolean): void =>
    events.take({ type: "user-transcript", itemId: "u", text, isFinal });
  return { events, log, stops, say };
}

describe("what a realtime model reports", () => {
  it("keeps the caller's words until they are final", () => {
    const { events, log, say } = rig();
    say("my bal", false);
    expect(events.openWords).toBe("my bal");
    say("my balance", true);
    expect(events.openWords).toBe("");
    expect(log).toEqual(["partial my bal", "whole my balance", "final my balance"]);
  });

  it("[BARGE-3d] goes by what was said since where the transcript of an earlier sound comes late and has no word", () => {
    const { events, log } = rig();
    for (const itemId of ["cough", "words"]) events.take({ type: "speech-started", itemId, atMs: 0 });
    events.take({ type: "speech-stopped", itemId: "cough", atMs: 0 });
    events.take({ type: "speech-stopped", itemId: "words", atMs: 0 });
    const before = log.length;
    events.take({ type: "user-transcript", itemId: "cough", text: "", isFinal: true });
    events.take({ type: "user-transcript", itemId: "words", text: "", isFinal: true });
    expect(log.slice(before)).toEqual(["final "]);
  });

  it("[VM-2] tells nobody what an answering machine says", () => {
    const { log, say } = rig({ isDeaf: true });
    say("leave a message", true);
    expect(log).toEqual([]);
  });

  it("begins a turn before the response that answers it, and tells of the same refusal once", () => {
    const { events, log } = rig();
    events.take({ type: "response-started", responseId: "r" });
    const error = new VoiceError("rate_limited", "slow down");
    for (let times = 0; times < 2; times++) events.take({ type: "error", error });
    expect(log).toEqual(["response-started", "reply response-started", "rate_limited"]);
  });

  it("[FAIL-4k] ends speech that was open when the connection was lost, and nothing where nobody spoke", () => {
    const silent = rig();
    silent.events.forgetOpenSpeech();
    const speaking = rig({ user: { ...initialTurnState(0).user, speech: { kind: "speaking", sinceMs: 0 } } });
    speaking.events.forgetOpenSpeech();
    expect([silent.log, speaking.log]).toEqual([[], ["speech-stopped", "final "]]);
  });

  it("[RT-2] keeps that the caller said something where it could not be transcribed, and reports the same failure once", () => {
    const { events, log } = rig();
    const error = new VoiceError("upstream_unavailable", "no");
    for (const itemId of ["a", "b"]) events.take({ type: "user-transcript-failed", itemId, error });
    const said = "final [The caller said something here that could not be transcribed.]";
    expect(log).toEqual(["untranscribed upstream_unavailable", said, "untranscribed upstream_unavailable again", said]);
  });

  it.each([
    ["where the caller's audio fell quiet", 4200, -800],
    ["at the service's own position where the line is never quiet", 4900, -200],
    ["at the service's own position where nothing was loud since the words began", 900, -200],
    ["at the service's own position where nothing is known of the audio", undefined, -200],
  ])("[RT-3] has words end %s, if the service has waited for an unknown silence", (_where, voiceUntilMs, stoppedMs) => {
    const { events, stops } = rig({}, voiceUntilMs);
    events.take({ type: "speech-started", itemId: "u", atMs: 1000 });
    events.take({ type: "speech-stopped", itemId: "u", atMs: 4800, isLate: true });
    expect(stops).toEqual([stoppedMs]);
  });
});
