/**
 * VOICE_LIVE mode: one model hears, thinks and speaks. The service decides the turns; this session plays its audio on
 * our clock, cuts what was not heard, runs tools and handoffs, and keeps the same history and notices as the cascade.
 */
import { rmsLevel } from "../audio/levels.ts";
import { superviseRealtime } from "../pipeline/realtime/supervised-realtime.ts";
import type { CancelTimer } from "@voice/shared/platform/clock";
import { VoiceError } from "@voice/shared/platform/errors";
import type { RealtimeEvent } from "../providers/ports/realtime-model.ts";
import type { CloseReason } from "../transports/close-reasons.ts";
import { createAnswerWatch } from "./answer-watch.ts";
import type { SessionLoss } from "./fallback-session.ts";
import { fixedPhrase } from "./fixed-phrases.ts";
import type { FixedReplyKind } from "./fixed-phrases.ts";
import { createIdleWatch } from "./idle-watch.ts";
import { createLiveChanges } from "./live-changes.ts";
import type { LiveSession } from "./live-session.ts";
import { leaveConversation } from "./leave-conversation.ts";
import type { GoingOn } from "./going-on.ts";
import type { HostEffect } from "./host-effects.ts";
import { createCallerWords } from "./caller-words.ts";
import { askedEffects } from "../pipeline/asked-effects.ts";
import { RealtimeReplies } from "./realtime-replies.ts";
import type { RealtimeSessionOptions } from "./realtime-session-options.ts";
import { realtimeContinuation, realtimeHistory, realtimeSettings } from "./realtime-settings.ts";
import { sessionNotice } from "./session-notice.ts";
import { openSessionOutput } from "./session-output.ts";
import { deadAirMs } from "./turn/turn-settings.ts";

/** FAIL-6: longer than a connection takes, shorter than a caller's patience with silence. */
const patienceWithFallbackMs = 4000;

export function startRealtimeSession(options: RealtimeSessionOptions): LiveSession {
  const { transport, conversation, clock, logger, tools, recorder } = options;
  const ended = Promise.withResolvers<string>();
  let hasBegun = false;
  let paused = false;
  let isCallerSpeaking = false;
  let endReason: string | undefined;
  let cancelFarewell: CancelTimer | undefined;
  let closing: Promise<void> | undefined;
  /** What the caller says to a model that is gone, for the session that goes on. */
  let unheard: Int16Array[] | undefined;
  /** The caller waits for a word of whoever goes on. */
  let isOwed = false;
  /** The announcement is being spoken: the caller may not cut it off. */
  let announcing = false;
  let isAnnounced = false;
  /** When the caller spoke last, on the session's clock; the text comes later. */
  let speakingSinceMs = clock.now();
  let spoken = { fromMs: clock.now(), untilMs: clock.now() };

  const output = openSessionOutput({
    transport,
    recorder,
    ticker: options.ticker,
    clock,
    publish: options.publish,
    events: {
      onAudible() {
        watch.stop();
        if (!announcing) conversation.markVisited();
        replies.onAudible();
      },
      onDrained() {
        replies.onDrained();
        watch.onHeard();
        changes?.settle();
        if (endReason !== undefined) endSession(endReason);
        else if (announcing) begin();
        else idle.rest();
      },
      onStalled() {
        if (announcing) recorder.abandon();
        replies.interrupt("dead_air");
        watch.fail();
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
    onFailed: () => watch.fail(),
  });

  const watch = createAnswerWatch(clock, {
    onApology(failures) {
      logger.warn({ failures }, "the realtime model owes an answer");
      notify({
        type: "error",
        payload: { code: "upstream_unavailable", message: "The agent could not answer; it will say so." },
      });
      replies.interrupt("dead_air");
      realtime.use((session) => session.cancelResponse());
      say("apology", failures);
    },
    onGivenUp() {
      isOwed = true;
      lose(new VoiceError("upstream_unavailable", "the realtime model does not answer"));
    },
  });

  const settings = () => realtimeSettings(conversation, tools, transport.sampleRateHz, options.turn, clock.wallNow());

  const realtime = superviseRealtime({
    model: options.model,
    settings,
    history: () => realtimeHistory(conversation),
    retry: options.retry,
    patienceMs: options.onLost === undefined ? deadAirMs : patienceWithFallbackMs,
    clock,
    logger,
    random: options.random,
    onEvent,
    onOpened(isFirst) {
      const { announcement } = options;
      if (isFirst && announcement !== undefined)
        announcing = realtime.use((session) => session.respond({ say: announcement }));
      else if (isFirst || announcing) begin();
      else if (watch.isWaiting) realtime.use((session) => session.respond());
    },
    onDropped() {
      if (replies.isUnfinished) watch.expect();
      replies.drop();
    },
    onLost: lose,
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

  const idle = createIdleWatch({
    clock,
    idleMs: options.turn.idleMs,
    isBusy: () => paused || isOver() || isCallerSpeaking || !replies.isQuiet || watch.isWaiting,
    carryOut: options.onEffect,
    onReprompt: () => say("reprompt", 0),
    onGivenUp: () => sayFarewell("caller_silent"),
    onRegret: () => say("regret", 0),
  });

  function isQuiet(): boolean {
    return replies.isQuiet && !isCallerSpeaking;
  }

  function isOver(): boolean {
    return closing !== undefined || unheard !== undefined || endReason !== undefined;
  }

  /** TAKE-2: the model has been told the history; what the caller said last is answered, with what tools have done. */
  function begin(): void {
    announcing = false;
    isAnnounced = true;
    const takesOver = options.resumed && transport.channel === "phone";
    const goingOn: GoingOn = takesOver ? conversation.takeOver(clock.wallNow()) : { type: "greet" };
    if (goingOn.type === "answer") {
      replies.setAnchor(clock.now());
      const since = conversation.owedTurn?.since ?? [];
      const instructions = realtimeContinuation(since);
      realtime.use((session) => session.respond(instructions === undefined ? {} : { instructions }));
      askedEffects(since).forEach(onEffect);
      watch.expect();
    } else if (goingOn.type === "listen") {
      goingOn.owed.forEach(onEffect);
      if (endReason !== undefined) endSession(endReason);
    } else if (hasBegun) {
      realtime.use((session) => session.respond()); // what was typed while it opened is in the history it was told
    } else {
      const greeting = conversation.renderGreeting();
      if (greeting !== undefined) realtime.use((session) => session.respond({ say: greeting }));
    }
    idle.rest();
  }

  function onEffect(effect: HostEffect): void {
    if (effect.type === "hang-up") endReason = effect.reason;
    else void idle.carryOut(effect);
  }

  /** False while there is no connection. */
  function say(kind: FixedReplyKind, count: number): boolean {
    return realtime.use((session) => session.respond({ say: fixedPhrase(kind, count) }));
  }

  function onEvent(event: RealtimeEvent): void {
    switch (event.type) {
      case "speech-started":
        isCallerSpeaking = true;
        idle.reset();
        watch.stop();
        changes?.look();
        speakingSinceMs = toClockMs(event.atMs);
        // BARGE-9: endReason means that the agent says goodbye
        if (options.turn.bargeInEnabled && !announcing && endReason === undefined) replies.interrupt("barge_in");
        return;
      case "speech-stopped":
        isCallerSpeaking = false;
        spoken = { fromMs: speakingSinceMs, untilMs: toClockMs(event.atMs) };
        replies.setAnchor(spoken.untilMs);
        if (endReason === undefined) watch.expect();
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
    if (text === "") {
      // Sound without words: nobody waits for an answer to it.
      if (!isCallerSpeaking && replies.isQuiet) watch.stop();
      idle.rest();
      return;
    }
    words.whole(text, fromMs, untilMs);
    hasBegun = true;
    replies.storeUserText(text);
  }

  /** The service counts in audio it was given; the newest of it is now. */
  function toClockMs(audioMs: number): number {
    return clock.now() - Math.max(0, realtime.appendedMs - audioMs);
  }

  function notifyError(error: VoiceError, message: string): void {
    notify({ type: "error", payload: { code: error.code, message } });
  }

  function sayFarewell(reason: string): void {
    endReason = reason;
    replies.interrupt("ended");
    if (!say("farewell", 0)) endSession(reason);
    watch.stop();
    cancelFarewell = clock.setTimer(deadAirMs, () => endSession(reason)); // a goodbye that is never spoken
  }

  function endSession(reason: string): void {
    notify({ type: "event", payload: { name: "session_ended", reason } });
    ended.resolve(reason);
  }

  function lose(error: VoiceError): void {
    if (closing !== undefined || unheard !== undefined) return;
    logger.error({ error, code: error.code }, "the realtime model is lost");
    const { onLost } = options;
    if (onLost === undefined || endReason !== undefined) {
      notifyError(error, "The realtime model is not available.");
      endSession(endReason ?? "realtime_lost");
      return;
    }
    notifyError(error, "The realtime model is not available; the conversation goes on without it.");
    // Words that are still open are answered when the next session has understood them.
    isOwed ||= !realtime.hearsWords && (watch.isWaiting || replies.isUnfinished);
    const left = [...realtime.unheard];
    unheard = left;
    release();
    notify({ type: "event", payload: { name: "fallback", from: "VOICE_LIVE", to: "MEDIA", reason: error.code } });
    output.close();
    void handOver(error, left, onLost);
  }

  /** Not before the tools that run have done so: whoever goes on must know of it. */
  async function handOver(
    error: VoiceError,
    left: readonly Int16Array[],
    onLost: (loss: SessionLoss) => void,
  ): Promise<void> {
    await replies.settled;
    if (closing === undefined) onLost({ error, opening: isOwed ? "pick-up" : "listen", isAnnounced, unheard: left });
  }

  /** Everything but the conversation and the transport. */
  function release(): void {
    cancelFarewell?.();
    watch.stop();
    idle.stop();
    replies.close();
    realtime.close();
  }

  async function shutDown(reason: CloseReason | undefined): Promise<void> {
    const wasQuiet = isQuiet();
    release();
    output.close();
    await leaveConversation(conversation, transport, { reason, isQuiet: wasQuiet });
    ended.resolve(reason ?? "replaced");
  }

  notify(sessionNotice(conversation, transport, options.resumed));
  if (options.announcement !== undefined || conversation.renderGreeting() !== undefined) watch.expect();

  return {
    conversation,
    get hasBegun() {
      return hasBegun;
    },
    onAudio(samples) {
      if (paused || closing !== undefined) return;
      unheard?.push(samples);
      realtime.appendAudio(samples);
      output.showInputLevel(rmsLevel(samples));
      recorder.callerAudio(samples);
    },
    onWholeTurn(text) {
      idle.reset();
      replies.interrupt("barge_in");
      replies.setAnchor(clock.now());
      onWords(text, clock.now(), clock.now());
      if (unheard !== undefined) {
        isOwed = true;
        return;
      }
      const turn = (): void => {
        if (closing !== undefined) return;
        realtime.use((session) => {
          session.sendText(text);
          session.respond();
        });
        watch.expect();
      };
      if (changes === undefined) turn();
      else changes.before(turn);
    },
    onCallerFinished: () => realtime.use((session) => session.commitAudio()),
    onTranscript: () => undefined, // this mode listens for itself
    setPaused(isPaused) {
      paused = isPaused;
      if (isPaused) {
        idle.stop();
        watch.stop();
      } else idle.rest();
      playout.setPaused(isPaused);
      output.wake();
    },
    get isQuiet() {
      return isQuiet();
    },
    sayFarewell,
    close: (reason) => (closing ??= shutDown(reason)),
    ended: ended.promise,
  };
}
