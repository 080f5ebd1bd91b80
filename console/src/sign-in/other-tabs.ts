/**
 * What the tabs of a browser in which the console is open tell each other about a sign-in. A tab that has none is lent the access token of one
 * that has; the refresh token never leaves its tab, because a provider may accept it only once.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { z } from "zod";

const lentToken = z.object({ accessToken: z.string(), expiresAtMs: z.number() });
export type LentToken = z.output<typeof lentToken>;

const tabMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("request") }),
  lentToken.extend({ kind: z.literal("token") }),
  z.object({ kind: z.literal("signed-out"), subject: z.string() }),
]);

/** Reaches the other tabs of the same origin in the same browser, and not the one that sends. */
export interface TabChannel {
  readonly send: (message: unknown) => void;
  readonly onMessage: (listener: (message: unknown) => void) => void;
}

interface TabAnswers {
  /** Undefined where this tab has nothing to lend. */
  readonly lend: () => Promise<LentToken | undefined>;
  readonly signedOut: (subject: string) => void;
}

export class OtherTabs {
  readonly #channel: TabChannel;
  readonly #clock: Pick<Clock, "setTimer">;
  /** Those who wait for a token. */
  readonly #waiting = new Set<(token: LentToken) => void>();

  constructor(channel: TabChannel, clock: Pick<Clock, "setTimer">) {
    this.#channel = channel;
    this.#clock = clock;
  }

  answerWith({ lend, signedOut }: TabAnswers): void {
    this.#channel.onMessage((received) => {
      const { data: message } = tabMessage.safeParse(received);
      if (message?.kind === "request") void this.#lend(lend);
      if (message?.kind === "signed-out") signedOut(message.subject);
      if (message?.kind === "token") for (const take of this.#waiting) take(message);
    });
  }

  /** The first token that is lent; undefined where nobody lends one in time. */
  requestToken(waitMs: number): Promise<LentToken | undefined> {
    return new Promise((resolve) => {
      const settle = (token: LentToken | undefined): void => {
        this.#waiting.delete(settle);
        cancel();
        resolve(token);
      };
      const cancel = this.#clock.setTimer(waitMs, () => settle(undefined));
      this.#waiting.add(settle);
      this.#channel.send({ kind: "request" });
    });
  }

  sendSignedOut(subject: string): void {
    this.#channel.send({ kind: "signed-out", subject });
  }

  async #lend(lend: TabAnswers["lend"]): Promise<void> {
    const token = await lend();
    if (token !== undefined) this.#channel.send({ kind: "token", ...token });
  }
}

export function browserChannel(): TabChannel {
  const channel = new BroadcastChannel("voice.sign-in");
  return {
    send: channel.postMessage.bind(channel),
    onMessage: (listener) => channel.addEventListener("message", ({ data }) => listener(data)),
  };
}
