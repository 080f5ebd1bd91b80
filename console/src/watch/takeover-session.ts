/** The operator in the agent's place (PERSON-4): the microphone goes to the caller, until the conversation is handed back or over. */
import type { Clock, CancelTimer } from "@voice/shared/platform/clock";

import { ApiProblem, describeProblem } from "../api/api-problem.ts";
import type { ServiceApi } from "../api/service-api.ts";
import { microphoneGone } from "@voice/client-kit/audio/microphone-problem";
import { MicrophoneSwitch } from "@voice/client-kit/audio/microphone-switch";
import type { MicrophoneSource } from "@voice/client-kit/audio/microphone-switch";
import { Store } from "@voice/client-kit/store";
import type { ListenSession } from "./listen-session.ts";

/** The service expects this rate, whatever that of the call. */
const voiceRateHz = 16_000;
const checkEveryMs = 4000;

export interface TakenOver {
  readonly sessionId: string;
  readonly isPhoneCall: boolean;
  readonly phase: "starting" | "speaking";
  /** When the caller could hear the operator; undefined before. */
  readonly sinceMs: number | undefined;
  readonly isMuted: boolean;
  readonly isOnHold: boolean;
  readonly isBusy: boolean;
}

export interface TakeoverState {
  readonly taken: TakenOver | undefined;
  readonly problem: string | undefined;
  /** How the last one ended. */
  readonly note: string | undefined;
}

export interface TakeoverSessionOptions {
  readonly api: Pick<ServiceApi, "session" | "takeOver" | "handBack" | "hold" | "pressKeys" | "end">;
  readonly listen: Pick<ListenSession, "start" | "stop" | "speak" | "setHearsAgent">;
  readonly sound: MicrophoneSource;
  readonly describeSoundProblem: (error: unknown) => string;
  readonly clock: Clock;
}

export class TakeoverSession {
  readonly store = new Store<TakeoverState>({ taken: undefined, problem: undefined, note: undefined });
  readonly #options: TakeoverSessionOptions;
  readonly #microphone: MicrophoneSwitch;
  #cancelCheck: CancelTimer = () => undefined;

  constructor(options: TakeoverSessionOptions) {
    this.#options = options;
    this.#microphone = new MicrophoneSwitch({
      onState: () => undefined,
      onFrame: ({ samples }) => {
        const { taken } = this.store.get();
        if (taken?.phase === "speaking" && !taken.isMuted && !taken.isOnHold) options.listen.speak(samples);
      },
      onLost: () => this.store.update({ problem: options.describeSoundProblem(microphoneGone()) }),
    });
  }

  /** Called while a click is being handled. The agent is not silenced before the microphone is open. */
  async start(sessionId: string, isPhoneCall: boolean): Promise<void> {
    if (this.store.get().taken !== undefined) return;
    const { api, listen, sound, describeSoundProblem, clock } = this.#options;
    const taken: TakenOver = {
      sessionId,
      isPhoneCall,
      phase: "starting",
      sinceMs: undefined,
      isMuted: false,
      isOnHold: false,
      isBusy: false,
    };
    this.store.set({ taken, problem: undefined, note: undefined });
    this.#microphone.prepare();
    try {
      await this.#microphone.open(sound, voiceRateHz);
    } catch (error) {
      this.#over(undefined, describeSoundProblem(error));
      return;
    }
    listen.setHearsAgent(false); // it would be the operator's own voice, a moment later
    await listen.start(sessionId);
    try {
      await api.takeOver(sessionId);
    } catch (error) {
      this.#over(undefined, describeProblem(error));
      return;
    }
    this.#update({ phase: "speaking", sinceMs: clock.wallNow() });
    this.#checkLater();
  }

  setMuted(isMuted: boolean): void {
    this.#update({ isMuted });
  }

  async setOnHold(isOnHold: boolean): Promise<void> {
    if (await this.#request((id) => this.#options.api.hold(id, isOnHold))) this.#update({ isOnHold });
  }

  press(key: string): void {
    void this.#request((id) => this.#options.api.pressKeys(id, key));
  }

  /** True if the agent has the conversation again. */
  async handBack(notes: string): Promise<boolean> {
    const isDone = await this.#request((id) => this.#options.api.handBack(id, notes));
    if (isDone) this.#over("The agent has the conversation again.");
    return isDone;
  }

  async endConversation(): Promise<void> {
    if (await this.#request((id) => this.#options.api.end(id))) this.#over("The conversation ends.");
  }

  async #request(ask: (sessionId: string) => Promise<unknown>): Promise<boolean> {
    const { taken } = this.store.get();
    if (taken === undefined) return false;
    this.#update({ isBusy: true });
    this.store.update({ problem: undefined });
    try {
      await ask(taken.sessionId);
      return true;
    } catch (error) {
      this.store.update({ problem: describeProblem(error) });
      if (error instanceof ApiProblem && error.status === 409) void this.#check();
      return false;
    } finally {
      this.#update({ isBusy: false });
    }
  }

  #checkLater(): void {
    this.#cancelCheck();
    this.#cancelCheck = this.#options.clock.setTimer(checkEveryMs, () => void this.#check());
  }

  /** The caller may have hung up, or the service have taken the conversation back, while this page shows something else. */
  async #check(): Promise<void> {
    const { taken } = this.store.get();
    if (taken?.sinceMs === undefined) return;
    const { api, clock } = this.#options;
    const details = await api.session(taken.sessionId, new AbortController().signal).catch(() => undefined);
    if (this.store.get().taken?.sessionId !== taken.sessionId) return;
    const isStored = clock.wallNow() - taken.sinceMs > checkEveryMs;
    if (details?.status === "ended") this.#over("The conversation is over.");
    else if (details?.with_person_since === null && isStored)
      this.#over("The agent has taken the conversation back, because the connection to this page was lost.");
    else this.#checkLater();
  }

  #over(note: string | undefined, problem?: string): void {
    const { listen } = this.#options;
    this.#cancelCheck();
    this.#microphone.close();
    listen.stop();
    listen.setHearsAgent(true);
    this.store.set({ taken: undefined, problem, note });
  }

  #update(change: Partial<TakenOver>): void {
    const { taken } = this.store.get();
    if (taken !== undefined) this.store.update({ taken: { ...taken, ...change } });
  }
}
