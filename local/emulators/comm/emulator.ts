/**
 * The communication service on loopback: the REST API with its request signatures and repetition ids, the tokens and the
 * key set, callbacks, media streams and the delivery of incoming calls, with telephones behind it.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { VoiceError } from "@voice/shared/platform/errors";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import type { Recogniser } from "@voice/streaming-host/providers/ports/recogniser";
import type { Handset } from "../../phone/handset.ts";
import { listen } from "../listen.ts";
import { CallbackSender } from "./callback-sender.ts";
import type { DeliveryFaults, SentCallback } from "./callback-sender.ts";
import type { TransferRequest } from "./call-requests.ts";
import { createCallTokens } from "./call-tokens.ts";
import type { CallTokens } from "./call-tokens.ts";
import { EmulatedCall } from "./emulated-call.ts";
import type { CallSetup } from "./emulated-call.ts";
import { createEventGrid } from "./event-grid.ts";
import { isSignedBy } from "./hmac.ts";
import { Repeatability } from "./repeatability.ts";
import type { RestAnswer } from "./repeatability.ts";
import { answerRest } from "./rest-api.ts";
import type { CallNetwork } from "./rest-api.ts";

/** Whose phone rings at a number; an invalid one is refused at once, without looking for it. */
export type Directory = (number: string) => Handset | "invalid";

export interface CommEmulatorOptions {
  readonly port?: number;
  readonly clock?: Clock;
  readonly directory: Directory;
  readonly ringMs?: number;
  /** What calls are transcribed with that ask for it; made for the first of them. */
  readonly recogniser?: (() => Promise<Recogniser>) | undefined;
  readonly deliveryFaults?: DeliveryFaults;
  /** How often an incoming call is delivered. */
  readonly incomingCallCopies?: number;
  /** Answers requests for what is not the service's own, such as the phone's controls; false when it does not. */
  readonly also?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface SeenRequest {
  readonly operation: string;
  readonly status: number;
  /** The address that the peer used: peers that were given different ones can be told apart. */
  readonly host: string;
}

export interface CommEmulator {
  readonly url: string;
  readonly connectionString: string;
  /** The audience of the tokens. */
  readonly resourceId: string;
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly tokens: CallTokens;
  readonly requests: readonly SeenRequest[];
  readonly callbacks: readonly SentCallback[];
  readonly calls: readonly EmulatedCall[];
  readonly repetitions: number;
  /** The next requests are answered like this before they reach the network. */
  refuseNext(...statuses: readonly number[]): void;
  /** The next requests are carried out and their answers lost. */
  loseNextAnswers(count: number): void;
  /**
   * The next request of this operation gets no answer, whoever waits for it, and is carried out first or not at all.
   * Resolves when it is there.
   */
  holdNext(operation: string, carriedOut: "carried out" | "not carried out"): Promise<SeenRequest>;
  subscribe(webhookUrl: string): Promise<void>;
  /** Somebody dials the service's number; resolves when the call was announced. */
  dial(from: string, to: string, handset: Handset): Promise<EmulatedCall>;
  close(): Promise<void>;
}

interface HeldRequest {
  readonly operation: string;
  readonly carriedOut: "carried out" | "not carried out";
  readonly reached: PromiseWithResolvers<SeenRequest>;
}

/** A phone network gives up about here. */
const defaultRingMs = 60_000;
/** The context of an incoming call goes stale about this long after the phone began to ring. */
const incomingCallContextMs = 30_000;
const largestBodyBytes = 1024 * 1024;

export async function startCommEmulator(options: CommEmulatorOptions): Promise<CommEmulator> {
  const { clock = systemClock, directory, ringMs = defaultRingMs, recogniser } = options;
  const accessKey = randomBytes(32).toString("base64");
  const resourceId = randomUUID();
  const closing = new AbortController();
  const calls: EmulatedCall[] = [];
  const waiting = new Map<string, EmulatedCall | "taken">();
  const requests: SeenRequest[] = [];
  const callbacks: SentCallback[] = [];
  const repeatability = new Repeatability();
  const refusals: number[] = [];
  const held: HeldRequest[] = [];
  let answersToLose = 0;

  const listening = await listen((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  }, options.port);
  const url = `http://${listening.host}`;
  const tokens = await createCallTokens(url, resourceId);
  const grid = createEventGrid({ clock, signal: closing.signal, copies: options.incomingCallCopies ?? 1 });

  function newCall(direction: "inbound" | "outbound", from: string, to: string, handset: Handset): EmulatedCall {
    // One sender per call: the events of one call wait for each other, those of two calls do not.
    const sender = new CallbackSender({
      tokens,
      clock,
      signal: closing.signal,
      faults: options.deliveryFaults ?? {},
      onSent: (sent) => callbacks.push(sent),
    });
    const call = new EmulatedCall({ direction, from, to, handset, tokens, clock, sender, ringMs, recogniser });
    calls.push(call);
    return call;
  }

  const network: CallNetwork = {
    call: (id: string) => calls.find((call) => call.id === id),
    place(to: string, from: string, setup: CallSetup) {
      const subscriber = directory(to);
      if (subscriber === "invalid") return undefined;
      const call = newCall("outbound", from, to, subscriber);
      setImmediate(() => void call.ring(setup));
      return call;
    },
    answer(incomingCallContext: string, setup: CallSetup) {
      const call = waiting.get(incomingCallContext);
      if (call === undefined || call === "taken") return call;
      if (call.state === "disconnected") return undefined;
      waiting.set(incomingCallContext, "taken");
      setImmediate(() => call.answer(setup));
      return call;
    },
    transfer(call: EmulatedCall, transfer: TransferRequest) {
      const subscriber = directory(transfer.target);
      if (subscriber === "invalid") return false;
      void call.transfer(transfer, subscriber);
      return true;
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(request.url ?? "/", url);
    if (target.pathname === "/calling/keys") return send(response, { status: 200, body: tokens.keySet });
    if (!target.pathname.startsWith("/calling/")) {
      if (options.also?.(request, response) !== true) send(response, { status: 404 });
      return undefined;
    }
    const body = await readBody(request);
    const method = request.method ?? "GET";
    const isSigned = isSignedBy(
      accessKey,
      { method, pathAndQuery: `${target.pathname}${target.search}`, headers: request.headers, body },
      clock.wallNow(),
    );
    const operation = `${method} ${target.pathname.replace(/\/[0-9a-f-]{36}/, "/{id}")}`;
    const host = request.headers.host ?? "";
    const hold = takeHeld(operation);
    if (hold?.carriedOut === "not carried out") return hold.reached.resolve({ operation, host, status: 0 });
    const answer = isSigned ? await act(method, target.pathname, body, request) : { status: 401 };
    const seen = { operation, host, status: answer.status };
    requests.push(seen);
    if (hold !== undefined) return hold.reached.resolve(seen);
    if (answersToLose > 0) {
      answersToLose -= 1;
      response.destroy();
      return undefined;
    }
    return send(response, answer);
  }

  function takeHeld(operation: string): HeldRequest | undefined {
    const index = held.findIndex((wanted) => wanted.operation === operation);
    return index === -1 ? undefined : held.splice(index, 1)[0];
  }

  async function act(method: string, path: string, body: Buffer, request: IncomingMessage): Promise<RestAnswer> {
    const refusal = refusals.shift();
    if (refusal !== undefined) return { status: refusal, body: { error: { code: "Refused", message: "as told" } } };
    const requestId = request.headers["repeatability-request-id"];
    return repeatability.once(typeof requestId === "string" ? requestId : undefined, () =>
      answerRest(network, method, path, body.length === 0 ? undefined : JSON.parse(body.toString("utf8"))),
    );
  }

  return {
    url,
    connectionString: `endpoint=${url}/;accesskey=${accessKey}`,
    resourceId,
    issuer: url,
    jwksUrl: `${url}/calling/keys`,
    tokens,
    requests,
    callbacks,
    calls,
    get repetitions() {
      return repeatability.repetitions;
    },
    refuseNext: (...statuses) => {
      refusals.push(...statuses);
    },
    loseNextAnswers: (count) => {
      answersToLose += count;
    },
    holdNext(operation, carriedOut) {
      const reached = Promise.withResolvers<SeenRequest>();
      held.push({ operation, carriedOut, reached });
      return reached.promise;
    },
    subscribe: (webhookUrl) => grid.subscribe(webhookUrl),
    async dial(from, to, handset) {
      const call = newCall("inbound", from, to, handset);
      const context = randomBytes(48).toString("base64");
      waiting.set(context, call);
      const cancel = clock.setTimer(incomingCallContextMs, () => {
        if (waiting.get(context) === call) call.refuse("no-answer");
        waiting.delete(context);
      });
      void call.ended.then(cancel);
      const status = await grid.deliverIncomingCall(call, context);
      if (status < 200 || status > 204)
        throw new VoiceError("upstream_unavailable", `the incoming call was not taken by the webhook (${status})`);
      return call;
    },
    async close() {
      for (const call of calls) call.hangUp("phone");
      closing.abort();
      await listening.close();
    },
  };
}

function send(response: ServerResponse, { status, body }: RestAnswer): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) throw new TypeError("request bodies are bytes");
    bytes += part.length;
    if (bytes > largestBodyBytes) throw new RangeError("the request body is too large");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
