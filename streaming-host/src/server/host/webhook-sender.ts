/**
 * Delivers what is in the outbox. A receiver that does not accept it is asked again with growing pauses; one that the same
 * delivery has reached already knows it by its id. Each receiver has a queue of its own, so that none waits for another.
 */
import { endedInTime } from "@voice/shared/platform/within-time";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { LogFields, Logger } from "@voice/shared/platform/logger";
import { warnIfItFails } from "@voice/shared/platform/warn-if-it-fails";
import type { State } from "@voice/shared/state/ports/state";
import type { TakenDelivery } from "@voice/shared/state/work/webhook-deliveries";
import { receiverOf } from "@voice/shared/webhooks/announced-state";
import { signWebhook } from "@voice/shared/webhooks/sign-webhook";
import { findBody } from "@voice/shared/webhooks/webhook-body";
import type { Host } from "../../host/host.ts";
import { createOutageOfReceiver, type OutageOfReceiver } from "./receiver-outage.ts";
import { lateAttempt, leaseMs, retryPauseMs, serveWork } from "./serve-work.ts";

/** Resolves to the receiver's status; rejects if it did not answer. */
export type PostWebhook = (
  url: URL,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal },
) => Promise<number>;

interface Receiver {
  readonly url: URL;
  readonly logger: Logger;
  readonly outage: OutageOfReceiver;
}

type HostOfSender = Pick<Host, "settings" | "random" | "telemetry" | "clock" | "logger">;

export const requestTimeoutMs = 15_000;

const sentences = {
  failing: "the outbox of webhooks could not be read",
  over: "the outbox of webhooks is read again",
};

const outageSentences = {
  lasting: "a receiver of webhooks still does not accept them",
  over: "a receiver of webhooks accepts them again",
  uncounted: "how many webhooks wait could not be read",
};

export class WebhookSender {
  readonly #host: HostOfSender;
  readonly #stored: State;
  readonly #post: PostWebhook;
  readonly #closing = new AbortController();
  /** Each ends the delivery to one receiver, and resolves when what is under way to it is over. */
  readonly #queues: readonly (() => Promise<void>)[];

  constructor(host: HostOfSender, stored: State, post: PostWebhook) {
    this.#host = host;
    this.#stored = stored;
    this.#post = post;
    const { webhookUrls = [] } = host.settings;
    this.#queues = webhookUrls.map((address, index) => {
      const url = new URL(address);
      const name = receiverOf(address);
      // The log does not have its address (WEBHOOK-5), but its place in the setting.
      const logger = host.logger.child({ receiver: index + 1 });
      const waiting = async () => (await stored.backlog()).lanes.get(name);
      const outage = createOutageOfReceiver(logger, outageSentences, waiting);
      const deliveries = {
        take: (limit: number, forMs: number) => stored.webhooks.take(name, limit, forMs),
        handle: (delivery: TakenDelivery, takenAtMs: number) =>
          this.#deliver(delivery, { url, logger, outage }, takenAtMs),
        sentences,
      };
      return serveWork(deliveries, this.#closing.signal, host.clock, logger);
    });
  }

  /** Takes nothing more, and resolves when what is under way is over or given back. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#queues.map((end) => end()));
  }

  async #deliver(delivery: TakenDelivery, receiver: Receiver, takenAtMs: number): Promise<void> {
    const { settings, random, telemetry, clock } = this.#host;
    const { webhooks } = this.#stored;
    const { id, type, attempt, sessionId } = delivery;
    const facts = { webhookId: id, webhookType: type, sessionId, attempt };
    const log = receiver.logger.child(facts);
    // The lease ends, and somebody tries again.
    await warnIfItFails(log, {}, "what became of a webhook could not be stored", async () => {
      const nowMs = clock.wallNow();
      const body =
        delivery.body ?? (await findBody(delivery, { state: this.#stored, baseUrl: settings.baseUrl, nowMs }));
      if (body === undefined) return await webhooks.finish(delivery);
      // Every attempt sends the same, and none is made if the session was deleted meanwhile.
      if (delivery.body === undefined && !(await webhooks.keepBody(delivery, body))) return undefined;
      // Somebody else may have it already: a stalled process does not send what it took long ago.
      if (clock.now() - takenAtMs > leaseMs - requestTimeoutMs) return undefined;
      const outcome = await this.#attemptTo(receiver, { id, body }, facts);
      const pauseMs = outcome === "again" ? retryPauseMs(attempt, random()) : undefined;
      if (pauseMs !== undefined) {
        telemetry.count("voice.webhooks", { type, outcome: attempt === lateAttempt ? "late" : "postponed" });
        return await webhooks.postpone(delivery, pauseMs);
      }
      telemetry.count("voice.webhooks", { type, outcome: outcome === "delivered" ? outcome : "given_up" });
      if (outcome !== "delivered") log.error({}, "a webhook was given up: its receiver did not accept it");
      return await webhooks.finish(delivery);
    });
  }

  async #attemptTo(
    { url, outage }: Receiver,
    { id, body }: { readonly id: string; readonly body: string },
    facts: LogFields,
  ): Promise<"delivered" | "refused" | "again"> {
    const { settings, clock } = this.#host;
    const headers = {
      ...signWebhook({ id, atMs: clock.wallNow(), body }, settings.webhookSecrets ?? []),
      "content-type": "application/json",
    };
    try {
      const post = (signal: AbortSignal): Promise<number> => this.#post(url, { headers, body, signal });
      const status = await endedInTime(clock, requestTimeoutMs, this.#closing.signal, post);
      if (status >= 200 && status < 300) {
        outage.worked();
        return "delivered";
      }
      await outage.failed(clock.now(), "a webhook's receiver did not accept it", { ...facts, status });
      // "The receiver wants no more", as the specification has it.
      return status === 410 ? "refused" : "again";
    } catch (error) {
      // A host that stops ends its attempts itself.
      if (!this.#closing.signal.aborted)
        await outage.failed(clock.now(), "a webhook's receiver did not answer", {
          ...facts,
          code: toVoiceError(error).code,
        });
      return "again";
    }
  }
}
