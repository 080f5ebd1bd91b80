/**
 * One live conversation: what the transport and the listener report goes into the turn machine, and what the machine
 * decides is carried out. There is no algorithm here; look in turn/ for the decisions and in pipeline/ for the work.
 */
import type { ErrorCode } from "@voice/shared/platform/errors";
import type { CloseReason } from "../transports/close-reasons.ts";
import { createCallerWords } from "./caller-words.ts";
import { openingOf } from "./going-on.ts";
import type { GoingOn } from "./going-on.ts";
import { createLiveChanges } from "./live-changes.ts";
import { brokenSession } from "./live-session.ts";
import type { LiveSession } from "./live-session.ts";
import { ReplyRunner } from "./reply-runner.ts";
import { createCallEffects } from "./call-effects.ts";
import { leaveConversation } from "./leave-conversation.ts";
import type { SessionLoss } from "./fallback-session.ts";
import { patience } from "./fixed-phrases.ts";
import { sessionNotice } from "./session-notice.ts";
import type { VoiceSessionOptions } from "./voice-session-options.ts";
import { openSessionOutput } from "./session-output.ts";
import { createSessionTimers } from "./session-timers.ts";
import { createTurnHints } from "./turn-hints.ts";
import { stepTurn } from "./turn/turn-machine.ts";
import type { TurnEffect } from "./turn/turn-effects.ts";
import type { TurnEvent } from "./turn/turn-events.ts";
import { announcedState, initialTurnState, isQuiet } from "./turn/turn-state.ts";

export function startVoiceSession(options: VoiceSessionOptions): LiveSession {
  const { transport, conversation, clock, logger, recorder } = options;
  const ended = Promise.withResolvers<string>();
  let state = initialTurnState(conversation.turnCount);
  let recognisedAtMs: number | undefined;
  const hints = createTurnHints(conversation, options.callerName);
  let paused = false;
  let hasBegun = false;
  /** Its failure was reported. */
  let failedTurnId: string | undefined;
  let closing: Promise<void> | undefined;
  const waitingEvents: TurnEvent[] = [];

  const output = openSessionOutput({
    transport,
    recorder,
    ticker: options.ticker,
    clock,
    publish: options.publish,
    onHeard: (frame, playsAtMs) => listener.hearAgent(frame, transport.sampleRateHz, playsAtMs),
    events: {
      onAudible(turnId) {
        runner.onAudible();
        dispatch({ type: "reply-audible", turnId, atMs: clock.now() });
      },
      onDrained(turnId, text) {
        runner.onDrained(text);
        changes?.settle();
        changes?.look();
        dispatch({ type: "reply-drained", turnId, atMs: clock.now() });
      },
      onStalled: (turnId) => dispatch({ type: "reply-failed", turnId, failure: "stalled", atMs: clock.now() }),
    },
  });
  const { notify, playout } = output;
  const words = createCallerWords({ notify, recorder, turnId: () => `turn-${state.turnCount + 1}` });

  const onEffect = createCallEffects({ clock, carryOut: options.onEffect, dispatch });
  const runner = new ReplyRunner({
    conversation,
    playout,
    recorder,
    announcement: options.announcement,
    opener: options.takesOver?.opening === "pick-up" ? patience : undefined,
    clock,
    reply: { ...options.reply, sampleRateHz: transport.sampleRateHz },
    notify,
    onFailed(turnId, failure, error) {
      logger.warn({ error, code: error.code, turnId, failure }, "a reply failed");
      failedTurnId = turnId;
      notifyFailure(error.code);
      dispatch({ type: "reply-failed", turnId, failure, atMs: clock.now() });
    },
    onEffect,
    onAgentChanged() {
      hints.expect(undefined);
      listener.setHints(hints.current);
    },
    onAwaits(answer) {
      if (hints.expect(answer)) listener.setHints(hints.current);
    },
    onProgress: () => output.wake(),
  });

  const listener = options.createListener(hints.current, {
    onSpeechStarted(sinceMs) {
      changes?.look();
      dispatch({ type: "speech-started", sinceMs, atMs: clock.now() });
    },
    onSpeechStopped: (stoppedMs) => dispatch({ type: "speech-stopped", stoppedMs, atMs: clock.now() }),
    onPartial(partial) {
      words.partial(partial.text, { start_ms: partial.startMs, language: partial.language });
      dispatch({ type: "partial", text: partial.text, atMs: clock.now() });
    },
    onFinal(final, endedMs) {
      recognisedAtMs = clock.now();
      words.final(final, endedMs);
      const replyRemainingMs = playout.remainingMs();
      dispatch({ type: "final", text: final.text, endedMs, replyRemainingMs, atMs: clock.now() });
    },
    onRecogniserLost(error) {
      logger.error({ error, code: error.code }, "the recogniser is lost");
      notify({ type: "error", payload: { code: error.code, message: "Speech recognition is not available." } });
      dispatch({ type: "farewell-requested", reason: "recogniser_lost", atMs: clock.now() });
    },
  });

  const changes =
    options.lookForChanges &&
    createLiveChanges({
      look: options.lookForChanges,
      clock,
      logger,
      isReplying: () => runner.isReplying,
      take(catalog) {
        if (closing !== undefined) return;
        runner.discardPrepared(); // it was made with what is no longer so
        const before = conversation.agent.name;
        conversation.replaceCatalog(catalog);
        const { name } = conversation.agent;
        listener.setHints(hints.current);
        if (name !== before) notify({ type: "handoff", payload: { from: before, to: name, type: "discrete" } });
      },
    });

  const timers = createSessionTimers(clock, (timer) => dispatch({ type: "timer", timer, atMs: clock.now() }));

  function notifyFailure(code: ErrorCode): void {
    notify({ type: "error", payload: { code, message: "The agent could not answer; it will say so." } });
  }

  /** Carrying out an effect may raise the next event; it waits until this one is done with. */
  function dispatch(event: TurnEvent): void {
    waitingEvents.push(event);
    if (waitingEvents.length > 1) return;
    try {
      for (let next = waitingEvents[0]; next !== undefined; next = waitingEvents[0]) {
        handle(next);
        waitingEvents.shift();
      }
    } catch (error) {
      // One session's defect; the others on this host go on.
      waitingEvents.length = 0;
      logger.error({ error, event: event.type }, "a session broke");
      ended.resolve(brokenSession);
    }
  }

  function handle(event: TurnEvent): void {
    if (closing !== undefined) return;
    const before = announcedState(state.agent);
    const result = stepTurn(state, event, options.turnSettings(conversation.agent.speech.vadSilenceTimeoutMs));
    state = result.state;
    const after = announcedState(state.agent);
    for (const effect of result.effects) run(effect);
    listener.setAgentAudible(state.agent.kind === "speaking");
    if (after !== before && after !== "ended")
      notify({ type: "event", payload: { name: "state_change", state: after, agent: conversation.agent.name } });
  }

  function run(effect: TurnEffect): void {
    switch (effect.type) {
      case "begin-reply":
        changes?.settle();
        if (effect.plan.kind === "answer") hasBegun = true;
        runner.begin(effect.plan, recognisedAtMs);
        recognisedAtMs = undefined;
        output.wake();
        return;
      case "prepare-reply":
        changes?.settle();
        runner.prepare(effect.text);
        return;
      case "discard-prepared":
        runner.discardPrepared();
        return;
      case "hold-playout":
        runner.hold();
        return;
      case "resume-playout":
        runner.resume();
        notify({ type: "event", payload: { name: "false_interruption", turn_id: effect.turnId } });
        return;
      case "cancel-reply":
        // FAIL-1, FAIL-3: nobody else knows that it took too long.
        if (effect.reason === "dead_air" && failedTurnId !== effect.turnId) notifyFailure("upstream_timeout");
        runner.cancel(effect.reason);
        return;
      case "flush-recogniser":
        listener.flush();
        return;
      case "set-timer":
        timers.set(effect.timer, effect.delayMs);
        return;
      case "clear-timer":
        timers.clear(effect.timer);
        return;
      case "end-session":
        if (effect.reason === "voice_failed")
          notify({
            type: "error",
            payload: { code: "upstream_unavailable", message: "The agent has lost its voice." },
          });
        notify({ type: "event", payload: { name: "session_ended", reason: effect.reason } });
        ended.resolve(effect.reason);
    }
  }

  function begin(): void {
    const takesOver = options.resumed && transport.channel === "phone";
    const goingOn: GoingOn = takesOver ? conversation.takeOver(clock.wallNow()) : { type: "greet" };
    dispatch({
      type: "session-started",
      announces: options.announcement !== undefined,
      opening: openingOf(goingOn, conversation.renderGreeting() !== undefined),
      hasGap: takesOver && options.hasGap === true,
      atMs: clock.now(),
    });
    if (goingOn.type === "listen") goingOn.owed.forEach(onEffect);
  }

  /** FAIL-6: nothing is lost that the other session has heard. */
  function goOn({ opening, isAnnounced }: Pick<SessionLoss, "opening" | "isAnnounced">): void {
    const goingOn: GoingOn = conversation.owedTurn === undefined ? { type: "greet" } : { type: "answer" };
    dispatch({
      type: "session-started",
      announces: options.announcement !== undefined && !isAnnounced,
      opening: opening === "listen" ? "listen" : openingOf(goingOn, conversation.renderGreeting() !== undefined),
      atMs: clock.now(),
    });
  }

  async function shutDown(reason: CloseReason | undefined): Promise<void> {
    const wasQuiet = isQuiet(state);
    timers.clearAll();
    runner.close();
    output.close();
    listener.close();
    await leaveConversation(conversation, transport, { reason, isQuiet: wasQuiet });
    ended.resolve(reason ?? "replaced");
  }

  if (options.takesOver === undefined) {
    notify(sessionNotice(conversation, transport, options.resumed));
    begin();
  } else goOn(options.takesOver);

  return {
    conversation,
    get hasBegun() {
      return hasBegun;
    },
    onAudio(samples) {
      if (paused || closing !== undefined) return;
      listener.write(samples);
      output.showInputLevel(listener.level);
      recorder.callerAudio(samples);
    },
    onWholeTurn(text) {
      const atMs = clock.now();
      words.whole(text, atMs, atMs);
      const turn = (): void => {
        recognisedAtMs = undefined;
        dispatch({ type: "whole-turn", text, atMs });
      };
      if (changes === undefined) turn();
      else changes.before(turn);
    },
    onKeyPressed: () => dispatch({ type: "key-pressed", atMs: clock.now() }),
    onCallerFinished: () => dispatch({ type: "caller-finished", atMs: clock.now() }),
    onTranscript: () => undefined, // this mode listens for itself
    setPaused(isPaused) {
      if (paused === isPaused || closing !== undefined) return;
      paused = isPaused;
      if (isPaused) listener.flush();
      playout.setPaused(isPaused);
      output.wake();
      dispatch({ type: "paused", isPaused, atMs: clock.now() });
    },
    onMachine: () => dispatch({ type: "machine-answered", atMs: clock.now() }),
    sayAndEnd: (text, reason) => dispatch({ type: "last-words", text, reason, atMs: clock.now() }),
    get isQuiet() {
      return isQuiet(state);
    },
    sayFarewell: (reason) => dispatch({ type: "farewell-requested", reason, atMs: clock.now() }),
    close: (reason) => (closing ??= shutDown(reason)),
    ended: ended.promise,
  };
}
