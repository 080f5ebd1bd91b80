/**
 * VOICE_LIVE mode: one model hears, thinks and speaks. The service decides the turns; this session plays its audio on
 * our clock, cuts what was not heard, runs tools and handoffs, and keeps the same history and notices as the cascade.
 */
import { rmsLevel } from "../audio/levels.ts";
import { superviseRealtime } from "../pipeline/realtime/supervised-realtime.ts";
import { VoiceError, type ErrorCode } from "@voice/shared/platform/errors";
import type { RealtimeEvent } from "../providers/ports/realtime-model.ts";
import type { CloseReason } from "../transports/close-reasons.ts";
import { createAnswerWatch } from "./answer-watch.ts";
import { createEnding } from "./ending.ts";
import { createHandOver } from "./hand-over.ts";
import { firstResponse } from "./first-response.ts";
import { fixedPhrase, type FixedReplyKind } from "./fixed-phrases.ts";
import { createIdleWatch } from "./idle-watch.ts";
import { createLiveChanges } from "./live-changes.ts";
import type { LiveSession } from "./live-session.ts";
import { leaveConversation } from "./leave-conversation.ts";
import type { HostEffect } from "./host-effects.ts";
import { createCallerSpeech } from "./caller-speech.ts";
import { createCallerWords } from "./caller-words.ts";
import { RealtimeReplies } from "./realtime-replies.ts";
import type { RealtimeSessionOptions } from "./realtime-session-options.ts";
import { realtimeHistory, realtimeSettings } from "./realtime-settings.ts";
import { sessionNotice } from "./session-notice.ts";
import { openSessionOutput } from "./session-output.ts";
import { farewellOf } from "./turn/turn-effects.ts";
import { deadAirMs, patienceWithFallbackMs } from "./turn/turn-settings.ts";
import { createMachineFilter } from "./voicemail/machine-filter.ts";

export function startRealtimeSession(options: RealtimeSessionOptions): LiveSession {
  const { transport, conversation, clock, logger, tools, recorder, announcement } = options;
  const ended = Promise.withResolvers<string>();
  let hasBegun = false;
  let paused = false;
  const machine = createMachineFilter(() => realtime.use((session) => session.cancelResponse()));
  let closing: Promise<void> | undefined;
  /** The announcement is being spoken: the caller may not cut it off. */
  let announcing = false;
  let isAnnounced = false;
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
        if (ending.reason !== undefined) ending.end(ending.reason);
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
  const speech = createCallerSpeech(clock, () => realtime.appendedMs);
  const words = createCallerWords({ notify, recorder, turnId: () => replies.nextTurnId });

  const sayThis = (text: string): boolean => realtime.use((session) => session.respond({ say: text }));
  const ending = createEnding({ clock, notify, say: sayThis, onEnded: ended.resolve });

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

  const isQuiet = (): boolean => replies.isQuiet && !speech.isOn;
  const isOver = (): boolean => closing !== undefined || handOver?.isUnderWay === true || ending.reason !== undefined;
  /** False while there is no connection. */
  const say = (kind: FixedReplyKind, count: number): boolean => sayThis(fixedPhrase(kind, count));
  const notifyError = (code: ErrorCode, message: string): void => notify({ type: "error", payload: { code, message } });

  const handOver =
    options.onLost &&
    createHandOver({ settled: () => replies.settled, isClosed: () => closing !== undefined, onLost: options.onLost });

  const watch = createAnswerWatch(clock, {
    onApology(failures) {
      notifyError("upstream_unavailable", "The agent could not answer; it will say so.");
      replies.interrupt("dead_air");
      realtime.use((session) => session.cancelResponse());
      say("apology", failures);
    },
    onGivenUp() {
      handOver?.owe();
      lose(new VoiceError("upstream_unavailable", "the realtime model does not answer"));
    },
  });

  const settings = () => realtimeSettings(conversation, tools, transport.sampleRateHz, options.turn, clock.wallNow());

  const realtime = superviseRealtime({
    model: options.model,
    settings,
    history: () => replies.settled.then(() => realtimeHistory(conversation)),
    retry: options.retry,
    patienceMs: options.onLost === undefined ? deadAirMs : patienceWithFallbackMs,
    clock,
    logger,
    random: options.random,
    onEvent,
    onOpened(isFirst) {
      if (isFirst && announcement !== undefined) announcing = sayThis(announcement);
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
    isBusy: () => paused || isOver() || speech.isOn || !replies.isQuiet || watch.isWaiting,
    carryOut: options.onEffect,
    onReprompt: () => say("reprompt", 0),
    onGivenUp: () => sayAndEnd(fixedPhrase(farewellOf("caller_silent"), 0), "caller_silent"),
    onEffectWords: (words) => say(words, 0),
  });

  function begin(): void {
    announcing = false;
    isAnnounced = true;
    const takesOver = options.resumed && transport.channel === "phone";
    const wallNowMs = clock.wallNow();
    const { response, effects, isAnswer } = firstResponse(conversation, { takesOver, hasBegun, wallNowMs });
    if (response !== undefined) realtime.use((session) => session.respond(response));
    effects.forEach(onEffect);
    if (isAnswer) {
      replies.setAnchor(clock.now());
      watch.expect();
    } else if (ending.reason !== undefined && response === undefined) ending.end(ending.reason);
    idle.rest();
  }

  function onEffect(effect: HostEffect): void {
    if (effect.type === "hang-up") ending.plan(effect.reason);
    else void idle.carryOut(effect);
  }

  function onEvent(event: RealtimeEvent): void {
    if (machine.drops(event, ending.reason !== undefined)) return;
    switch (event.type) {
      case "speech-started":
        speech.started(event.atMs);
        idle.reset();
        watch.stop();
        changes?.look();
        // BARGE-9: a reason to end means that the agent says goodbye
        if (options.turn.bargeInEnabled && !announcing && ending.reason === undefined) replies.interrupt("barge_in");
        return;
      case "speech-stopped":
        speech.stopped(event.atMs);
        replies.setAnchor(speech.untilMs);
        return ending.reason === undefined ? watch.expect() : undefined;
      case "user-transcript":
        if (event.isFinal) onWords(event.text, speech.fromMs, speech.untilMs);
        else if (event.text !== "") words.partial(event.text);
        return;
      case "error":
        notifyError(event.error.code, "The agent could not do that.");
        logger.warn({ error: event.error, code: event.error.code }, "the realtime model refused something");
        return;
      case "unknown":
      case "audio-committed":
      case "item-truncated":
        logger.debug({ type: event.type }, "an event of the realtime model that means nothing here");
        return;
      default:
        idle.stop();
        replies.onEvent(event);
    }
  }

  function onWords(text: string, fromMs: number, untilMs: number): void {
    if (text === "") {
      // Sound without words: nobody waits for an answer to it.
      if (!speech.isOn && replies.isQuiet) watch.stop();
      idle.rest();
      return;
    }
    words.whole(text, fromMs, untilMs);
    hasBegun = true;
    replies.storeUserText(text);
  }

  function onMachine(): void {
    machine.turnOn();
    idle.stop();
    watch.stop();
    replies.interrupt("superseded");
  }

  function sayAndEnd(text: string, reason: string): void {
    replies.interrupt("ended");
    watch.stop();
    ending.sayAndEnd(text, reason);
  }

  function lose(error: VoiceError): void {
    if (closing !== undefined || handOver?.isUnderWay === true) return;
    logger.error({ error, code: error.code }, "the realtime model is lost");
    if (handOver === undefined || ending.reason !== undefined) {
      notifyError(error.code, "The realtime model is not available.");
      ending.end(ending.reason ?? "realtime_lost");
      return;
    }
    notifyError(error.code, "The realtime model is not available; the conversation goes on without it.");
    notify({ type: "event", payload: { name: "fallback", from: "VOICE_LIVE", to: "MEDIA", reason: error.code } });
    // Words that are still open are answered when the next session has understood them.
    if (!realtime.hearsWords && (watch.isWaiting || replies.isUnfinished)) handOver.owe();
    handOver.begin({ error, isAnnounced, unheard: realtime.unheard });
    release();
    output.close();
  }

  /** Everything but the conversation and the transport. */
  function release(): void {
    ending.close();
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
  if (announcement !== undefined || conversation.renderGreeting() !== undefined) watch.expect();

  return {
    conversation,
    get hasBegun() {
      return hasBegun;
    },
    onAudio(samples) {
      if (paused || closing !== undefined) return;
      handOver?.keep(samples);
      realtime.appendAudio(samples);
      output.showInputLevel(rmsLevel(samples));
      recorder.callerAudio(samples);
    },
    onWholeTurn(text) {
      idle.reset();
      replies.interrupt("barge_in");
      replies.setAnchor(clock.now());
      onWords(text, clock.now(), clock.now());
      if (handOver?.isUnderWay === true) {
        handOver.owe();
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
    onKeyPressed: () => idle.restart(),
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
    sayFarewell: (reason) => sayAndEnd(fixedPhrase(farewellOf(reason), 0), reason),
    onMachine,
    sayAndEnd,
    close: (reason) => (closing ??= shutDown(reason)),
    ended: ended.promise,
  };
}
