/** An operator's actions on the watched conversation, each shown as in progress, done or refused. */
import type { ServerMessage } from "@voice/shared/contracts/stream/server-message";

import { answersAgain } from "../api/answers.ts";
import type { OnceItAnswers } from "../api/answers.ts";
import { describeProblem } from "../api/api-problem.ts";
import type { ServiceApi } from "../api/service-api.ts";
import { lineRefusalInWords } from "../conversation/explain-reason.ts";
import { Store } from "@voice/client-kit/store";

export interface OperatorState {
  readonly isBusy: boolean;
  /** What the service now does, in its own words, or what became of it. */
  readonly done: string | undefined;
  readonly problem: string | undefined;
}

const idle: OperatorState = { isBusy: false, done: undefined, problem: undefined };

export class OperatorSession {
  readonly store = new Store<OperatorState>(idle);
  readonly #api: Pick<ServiceApi, "say" | "end" | "transfer">;
  readonly #onceItAnswers: OnceItAnswers;
  /** Lines whose outcome is not known yet, by id. */
  readonly #waitingLines = new Map<string, string>();
  /** The service's answer to the latest line, shown until the last of them was said. */
  #promise: string | undefined;

  constructor(api: Pick<ServiceApi, "say" | "end" | "transfer">, onceItAnswers: OnceItAnswers) {
    this.#api = api;
    this.#onceItAnswers = onceItAnswers;
  }

  /** True if the service has accepted the request. */
  async say(sessionId: string, text: string): Promise<boolean> {
    return this.#request(async () => {
      const { id, promise } = await this.#api.say(sessionId, text);
      if (id !== undefined) this.#waitingLines.set(id, text);
      this.#promise = promise;
      return promise;
    });
  }

  /** A message about the watched conversation: it may say what became of a line. */
  receive(message: ServerMessage): void {
    if (message.type === "session" && this.#waitingLines.size > 0)
      // Another host continues the conversation, and lines wait in the memory of the one that had it.
      this.#loseLines(
        "the host that was to have it said has lost the conversation, and whether it was said is not known",
      );
    if (message.type !== "event") return;
    const { payload } = message;
    if (payload.name === "session_ended") this.#loseLines(lineRefusalInWords("conversation_ended"));
    if (payload.name !== "operator" || payload.line_id === undefined || payload.outcome === undefined) return;
    const text = this.#waitingLines.get(payload.line_id);
    if (text === undefined || !this.#waitingLines.delete(payload.line_id)) return;
    if (payload.outcome === "not_said") {
      this.#reportUnsaid([text], lineRefusalInWords(payload.reason ?? ""));
      return;
    }
    const isShown = this.#promise !== undefined && this.store.get().done === this.#promise;
    if (this.#waitingLines.size > 0 || !isShown) return;
    const isInterrupted = payload.outcome === "interrupted";
    this.store.update({
      done: isInterrupted ? "The caller interrupted the agent in the middle of it." : "The agent has said it.",
    });
  }

  end(sessionId: string): Promise<boolean> {
    return this.#request(() => this.#api.end(sessionId));
  }

  transfer(sessionId: string, number: string): Promise<boolean> {
    return this.#request(() => this.#api.transfer(sessionId, number));
  }

  forget(): void {
    this.#waitingLines.clear();
    this.#promise = undefined;
    this.store.set(idle);
  }

  #loseLines(reason: string): void {
    const lines = [...this.#waitingLines.values()];
    this.#waitingLines.clear();
    if (lines.length > 0) this.#reportUnsaid(lines, reason);
  }

  #reportUnsaid(lines: readonly string[], reason: string): void {
    const quoted = lines.map((line) => `“${line}”`).join(", ");
    this.store.update({ done: undefined, problem: `Not said: ${quoted}. The reason: ${reason}.` });
  }

  async #request(ask: () => Promise<string>): Promise<boolean> {
    this.store.set({ ...idle, isBusy: true });
    try {
      this.store.set({ ...idle, done: await ask() });
      return true;
    } catch (error) {
      const failed = { ...idle, problem: describeProblem(error) };
      this.store.set(failed);
      this.#onceItAnswers(error, () => {
        if (this.store.get() === failed) this.store.set({ ...idle, done: answersAgain });
      });
      return false;
    }
  }
}
