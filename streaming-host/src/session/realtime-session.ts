/**
 * VOICE_LIVE mode: one model hears, thinks and speaks. The service decides the turns; this session plays its audio on
 * our clock, cuts what was not heard, runs tools and handoffs, and keeps the same history and notices as the cascade.
 */
import { rmsLevel } from "../audio/levels.ts";
import type { ToolRunner } from "../pipeline/cascade/agent-loop.ts";
import { superviseRealtime } from "../pipeline/realtime/supervised-realtime.ts";
import type { RetrySettings } from "@voice/shared/platform/backoff";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { VoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { RealtimeEvent, RealtimeModel } from "../providers/ports/realtime-model.ts";
import type { CloseReason } from "../transports/close-reasons.ts";
import type { SessionNotice, Transport } from "../transports/transport.ts";
import type { Conversation } from "./conversation.ts";
import { fixedPhrase } from "./fixed-phrases.ts";
import { askedEffects } from "../pipeline/asked-effects.ts";
import type { GoingOn } from "./going-on.ts";
import { leaveConversation } from "./leave-conversation.ts";
import { createIdleWatch } from "./idle-watch.ts";
import { createCallerWords } from "./caller-words.ts";
import { createLiveChanges } from "./live-changes.ts";
import type { LookForChanges } from "./live-changes.ts";
import type { LiveSession } from "./live-session.ts";
import type { PlayoutTicker } from "./playout/playout-ticker.ts";
import { RealtimeReplies } from "./realtime-replies.ts";
import type { EffectOutcome, HostEffect } from "./host-effects.ts";
import type { SessionRecorder } from "./recording/session-recorder.ts";
import { realtimeContinuation, realtimeHistory, realtimeSettings } from "./realtime-settings.ts";
import type { RealtimeTurnSettings } from "./realtime-settings.ts";
import { openSessionOutput } from "./session-output.ts";
import { createMachineFilter } from "./voicemail/machine-filter.ts";
import { sessionNotice } from "./session-notice.ts";
import { farewellOf } from "./turn/turn-effects.ts";
import { deadAirMs } from "./turn/turn-settings.ts";

export interface RealtimeSessionOptions {
  readonly transport: Transport;
  readonly conversation: Conversation;
  readonly resumed: boolean;
  readonly model: RealtimeModel;
  readonly tools: ToolRunner;
  readonly turn: RealtimeTurnSettings;
  readonly retry: RetrySettings;
  readonly ticker: PlayoutTicker;
  readonly recorder: SessionRecorder;
  /** What has to be said before anything else; REC-3. */
  readonly announcement?: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** Absent: what the session began with stays. */
  readonly lookForChanges?: LookForChanges | undefined;
  readonly publish: (notice: SessionNotice) => void;
  readonly onEffect: (effect: HostEffect) => Promise<EffectOutcome>;
}

export function startRealtimeSession(options: RealtimeSessionOptions): LiveSession {
  const { transport, conversation, clock, logger, ticker, tools, recorder } = options;
  const ended = Promise.withResolvers<string>();
  let hasBegun = false;
  let paused = false;
  const machine = createMachineFilter(() => realtime.use((session) => session.cancelResponse()));
  let callerSpeaks = false;
  let endReason: string | undefined;
  let closing: Promise<void> | undefined;
  let cancelDeadAir: CancelTimer | undefined;
  /** The announcement is being spoken: the caller may not cut it off. */
  let announcing = false;
  /** When the caller spoke last, on the session's clock; the text comes later. */
  let speakingSinceMs = clock.now();
  let spoken = { fromMs: clock.now(), untilMs: clock.now() };

  const output = openSessionOutput({
    transport,
    recorder,
    ticker,
    clock,
    publish: options.publish,
    events: {
      onAudible() {
        if (endReason === undefined) cancelDeadAir?.();
        replies.onAudible();
      },
      onDrained() {
        replies.onDrained();
        changes?.settle();
        if (endReason !== undefined) endSession(endReason);
        else if (announcing) begin();
        else idle.restart();
      },
      onStalled() {
        if (announcing) recorder.abandon();
        replies.interrupt("dead_air");
      },
    },
  });
  const { notify, playout } = output;
  const words = createCallerWords({ notify, recorder, turnId: () => replies.nextTurnId });

  const replies = new RealtimeReplies({
    conversation,
    playout,
    recorder,
    isAnnouncing: () => announcing,
    clock,
    tools,
    sampleRateHz: transport.sampleRateHz,
    notify,
    onProgress: () => output.wake(),
    link: (action) => realtime.use(action),
    onAgentChanged: () => realtime.use((session) => session.update(settings())),
    onEffect,
  });

  const settings = () => realtimeSettings(conversation, tools, transport.sampleRateHz, options.turn);

  const realtime = superviseRealtime({
    model: options.model,
    settings,
    history: () => realtimeHistory(conversation),
    retry: options.retry,
    clock,
    logger,
    random: options.random,
    onEvent,
    onOpened(isFirst) {
      const { announcement } = options;
      if (!isFirst) return;
      if (announcement === undefined) begin();
      else announcing = realtime.use((session) => session.respond({ say: announcement }));
    },
    onLost(error) {
      logger.error({ error, code: error.code }, "the realtime model is lost");
      notifyError(error, "The realtime model is not available.");
      endSession("realtime_lost");
    },
  });

  const changes =
    options.lookForChanges &&
    createLiveChanges({
      look: options.lookForChanges,
      clock,
      logger,
      isReplying: () => playout.remainingMs() > 0,
      take(catalog) {
        if (closing !== undefined) return;
        conversation.replaceCatalog(catalog);
        realtime.use((session) => session.update(settings()));
      },
    });

  const idle = createIdleWatch(clock, {
    onReprompt: () => realtime.use((session) => session.respond({ say: fixedPhrase("reprompt", 0) })),
    onGivenUp: () => sayFarewell("caller_silent"),
  });

  /** The service counts in audio it was given; the newest of it is now. */
  function toClockMs(audioMs: number): number {
    return clock.now() - Math.max(0, realtime.appendedMs - audioMs);
  }

  function onEvent(event: RealtimeEvent): void {
    if (machine.drops(event, endReason !== undefined)) return;
    switch (event.type) {
      case "speech-started":
        callerSpeaks = true;
        idle.reset();
        cancelDeadAir?.();
        changes?.look();
        speakingSinceMs = toClockMs(event.atMs);
        if (options.turn.bargeInEnabled && !announcing) replies.interrupt("barge_in");
        return;
      case "speech-stopped":
        callerSpeaks = false;
        spoken = { fromMs: speakingSinceMs, untilMs: toClockMs(event.atMs) };
        replies.setAnchor(spoken.untilMs);
        expectAnswer();
        return;
      case "user-transcript":
        if (event.isFinal) onWords(event.text, spoken.fromMs, spoken.untilMs);
        else if (event.text !== "") words.partial(event.text);
        return;
      case "error":
        logger.warn({ error: event.error, code: event.error.code }, "the realtime model refused something");
        notifyError(event.error, "The agent could not do that.");
        return;
      case "unknown":
        logger.debug({ name: event.name }, "an event of the realtime model that we do not know");
        return;
      case "audio-committed":
      case "item-truncated":
        return;
      default:
        idle.stop();
        replies.onEvent(event);
    }
  }

  function onWords(text: string, fromMs: number, untilMs: number): void {
    if (text === "") return;
    words.whole(text, fromMs, untilMs);
    hasBegun = true;
    replies.storeUserText(text);
  }

  /** FAIL-1: a service that hears and never answers. */
  function expectAnswer(): void {
    cancelDeadAir?.();
    cancelDeadAir = clock.setTimer(deadAirMs, () => {
      realtime.use((session) => {
        session.cancelResponse();
        session.respond({ say: fixedPhrase("apology", 0) });
      });
    });
  }

  function notifyError(error: VoiceError, message: string): void {
    notify({ type: "error", payload: { code: error.code, message } });
  }

  function sayFarewell(reason: string): void {
    sayAndEnd(fixedPhrase(farewellOf(reason), 0), reason);
  }

  function onMachine(): void {
    machine.turnOn();
    idle.stop();
    cancelDeadAir?.();
    replies.interrupt("superseded");
  }

  function sayAndEnd(text: string, reason: string): void {
    endReason = reason;
    replies.interrupt("ended");
    const isSpoken = text !== "" && realtime.use((session) => session.respond({ say: text }));
    if (!isSpoken) endSession(reason);
    cancelDeadAir?.();
    cancelDeadAir = clock.setTimer(deadAirMs, () => endSession(reason)); // a goodbye that is never spoken
  }

  function endSession(reason: string): void {
    notify({ type: "event", payload: { name: "session_ended", reason } });
    ended.resolve(reason);
  }

  /** TAKE-2: the model has been told the history; what the caller said last is answered, with what tools have done. */
  function begin(): void {
    announcing = false;
    const takesOver = options.resumed && transport.channel === "phone";
    const goingOn: GoingOn = takesOver ? conversation.takeOver(clock.wallNow()) : { type: "greet" };
    if (goingOn.type === "answer") {
      replies.setAnchor(clock.now());
      const since = conversation.owedTurn?.since ?? [];
      const instructions = realtimeContinuation(since);
      realtime.use((session) => session.respond(instructions === undefined ? {} : { instructions }));
      askedEffects(since).forEach(onEffect);
      expectAnswer();
    } else if (goingOn.type === "listen") {
      goingOn.owed.forEach(onEffect);
      if (endReason === undefined) idle.restart();
      else endSession(endReason);
    } else {
      const greeting = hasBegun ? undefined : conversation.renderGreeting();
      if (greeting === undefined) return;
      conversation.markVisited();
      realtime.use((session) => session.respond({ say: greeting }));
    }
  }

  function onEffect(effect: HostEffect): void {
    if (effect.type === "hang-up") endReason = effect.reason;
    else void options.onEffect(effect);
  }

  async function shutDown(reason: CloseReason | undefined): Promise<void> {
    const wasQuiet = replies.isQuiet && !callerSpeaks;
    cancelDeadAir?.();
    idle.stop();
    replies.close();
    output.close();
    realtime.close();
    await leaveConversation(conversation, transport, { reason, isQuiet: wasQuiet });
    ended.resolve(reason ?? "replaced");
  }

  notify(sessionNotice(conversation, transport, options.resumed));

  return {
    conversation,
    get hasBegun() {
      return hasBegun;
    },
    onAudio(samples) {
      if (paused || closing !== undefined) return;
      realtime.appendAudio(samples);
      output.showInputLevel(rmsLevel(samples));
      recorder.callerAudio(samples);
    },
    onWholeTurn(text) {
      idle.reset();
      replies.interrupt("barge_in");
      replies.setAnchor(clock.now());
      onWords(text, clock.now(), clock.now());
      const turn = (): void => {
        if (closing !== undefined) return;
        realtime.use((session) => {
          session.sendText(text);
          session.respond();
        });
        expectAnswer();
      };
      if (changes === undefined) turn();
      else changes.before(turn);
    },
    onCallerFinished: () => realtime.use((session) => session.commitAudio()),
    onTranscript: () => undefined,
    setPaused(isPaused) {
      paused = isPaused;
      playout.setPaused(isPaused);
      output.wake();
    },
    get isQuiet() {
      return replies.isQuiet && !callerSpeaks;
    },
    sayFarewell,
    onMachine,
    sayAndEnd,
    close: (reason) => (closing ??= shutDown(reason)),
    ended: ended.promise,
  };
}
