/**
 * Runs the turn machine for a session in any mode: queues events, runs timers, and reports states and the end. The
 * session carries out the decisions about replies.
 */
import type { Silence } from "../turn/turn-step.ts";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import type { SessionNotice } from "../../transports/transport.ts";
import type { FlightRecorder } from "../flight/flight-recorder.ts";
import { refusedLineNotice } from "../output/line-outcome.ts";
import type { SessionProbe } from "../output/session-probe.ts";
import type { TurnEffect } from "../turn/turn-effects.ts";
import type { FailureCause, TimelessTurnEvent, TurnEvent } from "../turn/turn-events.ts";
import { stepTurn } from "../turn/turn-machine.ts";
import type { TurnSettings } from "../turn/turn-settings.ts";
import { announcedState, initialTurnState } from "../turn/turn-state.ts";
import type { TurnState } from "../turn/turn-state.ts";
import { brokenSession } from "./live-session.ts";
import { SessionTimers } from "./turn-timers.ts";

/** Carries out the remaining effects. */
export type SessionCommand = Exclude<
  TurnEffect,
  { readonly type: "set-timer" | "clear-timer" | "end-session" | "refuse-line" }
>;

export interface TurnLoopOptions {
  /** The number of the conversation's turns so far, across all hosts. */
  readonly turnCount: number;
  /** Read for every event, because another agent may have become active. */
  readonly settings: () => TurnSettings;
  readonly agentName: () => string;
  readonly run: (command: SessionCommand) => void;
  /** The agent falls silent at once; the effect that says why follows. Absent where no agent speaks. */
  readonly silence?: Silence;
  /** What the agent waits for, in the flight record of a silence. Absent where no agent speaks. */
  readonly causeOfSilence?: () => FailureCause;
  /** Called before the effects of the turn's first event are carried out. */
  readonly onTurnBegan: (turnCount: number) => void;
  /** Called after each event's effects were carried out. */
  readonly onStepped?: (state: TurnState) => void;
  readonly notify: (notice: SessionNotice) => void;
  /** Operators who watch, and not the peer. */
  readonly notifyWatchers: (notice: SessionNotice) => void;
  readonly probe: SessionProbe;
  readonly flightRecorder: FlightRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class TurnLoop {
  readonly #options: TurnLoopOptions;
  readonly #timers;
  readonly #ended = Promise.withResolvers<string>();
  #state: TurnState;
  #waiting: TurnEvent[] = [];
  #hasBegun = false;
  #isClosed = false;
  /** The agent has said what it had to say for now, and waits for a tool. */
  #waitsForTool = false;

  constructor(options: TurnLoopOptions) {
    this.#options = options;
    this.#state = initialTurnState(options.turnCount);
    this.#timers = new SessionTimers(options.clock, (timer) =>
      this.dispatch(
        timer === "dead-air" ? { type: "timer", timer, cause: options.causeOfSilence?.() } : { type: "timer", timer },
      ),
    );
  }

  get state(): TurnState {
    return this.#state;
  }

  /** Whether the caller's words have become a turn. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  /** Carrying out an effect may raise another event, which waits until this one is processed. */
  dispatch(event: TimelessTurnEvent, atMs = this.#options.clock.now()): void {
    this.#waiting.push({ ...event, atMs });
    if (this.#waiting.length > 1) return;
    try {
      for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
        this.#handle(next);
        this.#waiting.shift();
      }
    } catch (error) {
      // A bug in one session must not stop the others on this host.
      this.#waiting = [];
      this.#options.logger.error({ error, event: event.type }, "the session ends because of a defect");
      this.#ended.resolve(brokenSession);
    }
  }

  /** Requests the end of the session; its socket then closes it. */
  end(reason: string): void {
    this.#options.notify({ type: "event", payload: { name: "session_ended", reason } });
    this.#ended.resolve(reason);
  }

  /** PERSON-2: the conversation is over for this host, and no successor says the lines that wait. */
  refuseLines(): void {
    for (const line of this.#state.lines) this.#options.notifyWatchers(refusedLineNotice(line, "conversation_ended"));
  }

  /** Stops all processing. */
  close(): void {
    this.#isClosed = true;
    this.#options.flightRecorder.flush();
    this.#timers.clearAll();
  }

  /** Everything is released and stored. An earlier end keeps its reason. */
  onClosed(reason: string): void {
    this.#ended.resolve(reason);
  }

  #handle(event: TurnEvent): void {
    if (this.#isClosed) return;
    const { silence, onTurnBegan, onStepped, flightRecorder } = this.#options;
    const { turnCount, agent } = this.#state;
    // Nobody knows the first state; who watches may have seen the agent speak on a host that is gone.
    const before = event.type === "session-started" ? undefined : this.#shown(agent);
    const settings = this.#options.settings();
    const { state, effects } = stepTurn(this.#state, event, settings, silence);
    flightRecorder.stepped({ before: this.#state, event, settings, after: state, effects });
    this.#state = state;
    if (state.turnCount !== turnCount) onTurnBegan(state.turnCount);
    if (state.agent.kind !== "speaking" && state.agent.kind !== "held") this.#waitsForTool = false;
    const after = this.#shown(state.agent);
    for (const effect of effects) this.#run(effect);
    onStepped?.(state);
    this.#show(before, after);
  }

  /** TOOL-13. What interrupts the agent, and how, does not change with that. */
  showWaiting(waitsForTool: boolean): void {
    if (this.#isClosed || this.#waitsForTool === waitsForTool) return;
    const before = this.#shown(this.#state.agent);
    this.#waitsForTool = waitsForTool;
    this.#show(before, this.#shown(this.#state.agent));
  }

  #shown(agent: TurnState["agent"]): ReturnType<typeof announcedState> {
    const state = announcedState(agent);
    return state === "speaking" && this.#waitsForTool ? "thinking" : state;
  }

  #show(before: ReturnType<typeof announcedState> | undefined, after: ReturnType<typeof announcedState>): void {
    const { notify, agentName } = this.#options;
    if (after === before || after === "ended") return;
    notify({ type: "event", payload: { name: "state_change", state: after, agent: agentName() } });
  }

  #run(effect: TurnEffect): void {
    this.#options.probe.decided(effect);
    switch (effect.type) {
      case "set-timer":
        this.#timers.set(effect.timer, effect.delayMs);
        return;
      case "clear-timer":
        this.#timers.clear(effect.timer);
        return;
      case "end-session":
        if (effect.reason === "voice_failed") this.#reportLostVoice();
        this.end(effect.reason);
        return;
      case "refuse-line":
        this.#options.notifyWatchers(refusedLineNotice(effect.line, effect.reason));
        return;
      case "begin-reply":
        if (effect.plan.kind === "answer") this.#hasBegun = true;
        this.#options.run(effect);
        return;
      case "keep-words":
        this.#hasBegun = true;
        this.#options.run(effect);
        return;
      default:
        this.#options.run(effect);
    }
  }

  /** FAIL-5. */
  #reportLostVoice(): void {
    const message = "The agent has lost its voice.";
    this.#options.notify({ type: "error", payload: { code: "upstream_unavailable", message } });
  }
}
