/**
 * Delivers what is in the outbox. A receiver that does not accept it is asked again with growing pauses; one that the same
 * delivery has reached already knows it by its id. Each receiver has a queue of its own, so that none waits for another.
 */
import type { Clock } from "@voice/shared/platform/clock";
import { toVoiceError } from "@voice/shared/platform/errors";
import type { Logger } from "@voice/shared/platform/logger";
import type { State } from "@voice/shared/state/ports/state";
import type { TakenDelivery } from "@voice/shared/state/work/webhook-deliveries";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import { receiverOf } from "@voice/shared/webhooks/announced-state";
import { signWebhook } from "@voice/shared/webhooks/sign-webhook";
import { findBody } from "@voice/shared/webhooks/webhook-body";
import { leaseMs, retryPauseMs, serveWork } from "./serve-work.ts";

/** Resolves to the receiver's status; rejects if it did not answer. */
export type PostWebhook = (
  url: URL,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal },
) => Promise<number>;

export interface WebhookSenderOptions {
  readonly state: Pick<State, "webhooks" | "calls" | "callOperations" | "sessions">;
  readonly urls: readonly string[];
  readonly secrets: readonly string[];
  readonly baseUrl: string | undefined;
  readonly post: PostWebhook;
  readonly random: () => number;
  readonly telemetry: Pick<Telemetry, "count">;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface WebhookSender {
  /** Takes nothing more, and resolves when what is under way is over or given back. Idempotent. */
  close(): Promise<void>;
}

export const requestTimeoutMs = 15_000;

const sentences = {
  failing: "the outbox of webhooks could not be read",
  over: "the outbox of webhooks is read again",
};

export function startWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { state, urls, secrets, baseUrl, post, random, telemetry, clock, logger } = options;
  const closing = new AbortController();

  async function deliver(delivery: TakenDelivery, url: URL, takenAtMs: number): Promise<void> {
    const { id, type, attempt, sessionId } = delivery;
    const log = logger.child({ webhookId: id, webhookType: type, sessionId, attempt });
    try {
      const nowMs = clock.wallNow();
      const body = delivery.body ?? (await findBody(delivery, { state, baseUrl, nowMs }));
      if (body === undefined) return await state.webhooks.finish(delivery);
      // Every attempt sends the same, and none is made if the session was deleted meanwhile.
      if (delivery.body === undefined && !(await state.webhooks.keepBody(delivery, body))) return undefined;
      // Somebody else may have it already: a stalled process does not send what it took long ago.
      if (clock.now() - takenAtMs > leaseMs - requestTimeoutMs) return undefined;
      const outcome = await attemptTo(url, { id, body }, log);
      const pauseMs = outcome === "again" ? retryPauseMs(attempt, random()) : undefined;
      if (pauseMs !== undefined) {
        telemetry.count("voice.webhooks", { type, outcome: "postponed" });
        return await state.webhooks.postpone(delivery, pauseMs);
      }
      telemetry.count("voice.webhooks", { type, outcome: outcome === "delivered" ? outcome : "given_up" });
      if (outcome !== "delivered") log.error({}, "a webhook was given up: its receiver did not accept it");
      await state.webhooks.finish(delivery);
    } catch (error) {
      // The lease ends, and somebody tries again.
      log.warn({ error, code: toVoiceError(error).code }, "what became of a webhook could not be stored");
    }
    return undefined;
  }

  async function attemptTo(
    url: URL,
    { id, body }: { readonly id: string; readonly body: string },
    log: Logger,
  ): Promise<"delivered" | "refused" | "again"> {
    const late = new AbortController();
    const cancel = clock.setTimer(requestTimeoutMs, () => late.abort());
    const headers = {
      ...signWebhook({ id, atMs: clock.wallNow(), body }, secrets),
      "content-type": "application/json",
    };
    try {
      const status = await post(url, { headers, body, signal: AbortSignal.any([late.signal, closing.signal]) });
      if (status >= 200 && status < 300) return "delivered";
      log.warn({ status }, "a webhook's receiver did not accept it");
      // "The receiver wants no more", as the specification has it.
      return status === 410 ? "refused" : "again";
    } catch (error) {
      log.warn({ code: toVoiceError(error).code }, "a webhook's receiver did not answer");
      return "again";
    } finally {
      cancel();
    }
  }

  const queues = urls.map((address) => {
    const url = new URL(address);
    const receiver = receiverOf(address);
    const deliveries = {
      take: (limit: number, forMs: number) => state.webhooks.take(receiver, limit, forMs),
      handle: (delivery: TakenDelivery, takenAtMs: number) => deliver(delivery, url, takenAtMs),
      sentences,
      attributes: { receiver },
    };
    return serveWork(deliveries, closing.signal, clock, logger);
  });
  return {
    async close() {
      closing.abort();
      await Promise.all(queues.map((end) => end()));
    },
  };
}
