/**
 * The communication service on loopback: the REST API with its request signatures and repetition ids, the tokens and the
 * key set, callbacks, media streams and the delivery of incoming calls, with telephones behind it.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { VoiceError } from "@voice/shared/platform/errors";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Handset } from "../../phone/handset.ts";
import { EmulatedService, sendJson, startService } from "../emulated-service.ts";
import type { Listening } from "../listen.ts";
import { readBody } from "../read-body.ts";
import { CallbackSender } from "./callback-sender.ts";
import type { DeliveryFaults, SentCallback } from "./callback-sender.ts";
import type { TransferRequest } from "./call-requests.ts";
import { createCallTokens } from "./call-tokens.ts";
import type { CallTokens } from "./call-tokens.ts";
import { EmulatedCall } from "./emulated-call.ts";
import type { CallSetup, EmulatedCallOptions } from "./call-setup.ts";
import { createEventGrid } from "./event-grid.ts";
import type { DeliveryRetries, EventGrid } from "./event-grid.ts";
import { isSignedBy } from "./hmac.ts";
import type { Interference } from "./interference.ts";
import { Repeatability } from "./repeatability.ts";
import type { OnceAnswered, RestAnswer } from "./repeatability.ts";
import { answerRest } from "./rest-api.ts";
import type { CallNetwork } from "./rest-api.ts";
import type { OnBrokenStream } from "./call-stream.ts";

/** Finds the phone that rings at a number. Invalid numbers are refused before this is called. */
export type Directory = (number: string) => Handset | "invalid";

export interface CommEmulatorOptions {
  readonly port?: number;
  readonly clock?: Clock;
  readonly directory: Directory;
  readonly ringMs?: number;
  /** The recogniser for calls that ask for transcription; created when the first of them does. */
  readonly recogniser?: (() => Promise<Recogniser>) | undefined;
  readonly deliveryFaults?: DeliveryFaults;
  /** How many times each incoming call is delivered. */
  readonly incomingCallCopies?: number;
  /** When the delivery of an incoming call is retried after it failed; by default as the service documents it. */
  readonly incomingCallRetries?: DeliveryRetries;
  /**
   * Handles requests that are not for the service itself, such as the phone's controls; false if it did not handle one.
   */
  readonly also?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface SeenRequest {
  readonly operation: string;
  readonly status: number;
  /** The address that the peer used, so that peers given different addresses can be told apart. */
  readonly host: string;
  /** It was recognised as one that had been sent before, and had no further effect. */
  readonly isRepetition: boolean;
}

/** About as long as a phone network lets a phone ring. */
const defaultRingMs = 60_000;
/** The context of an incoming call goes stale about this long after the phone began to ring. */
const incomingCallContextMs = 30_000;
const largestBodyBytes = 1024 * 1024;

export function startCommEmulator(options: CommEmulatorOptions): Promise<CommEmulator> {
  return startService((listening) => new CommEmulator(options, listening), options.port);
}

export class CommEmulator extends EmulatedService<SeenRequest> {
  readonly url: string;
  /** The audience of the tokens. */
  readonly resourceId = randomUUID();
  readonly tokens: CallTokens;
  readonly connectionString: string;
  readonly callbacks: SentCallback[] = [];
  readonly calls: EmulatedCall[] = [];
  /** Chooses what the service does about streams that break from now on. */
  onBrokenStream: OnBrokenStream = "opens it again";
  /**
   * Interference between us and the service: it may respond in the service's place, and the call is not affected. A gateway has answered
   * 404 to valid requests for days (azure-sdk-for-python#38974), and the service itself has denied calls that were still running
   * (graph-comms-samples#191, microsoft-graph-docs-contrib#4849).
   */
  interfere: (operation: string) => Interference | undefined = () => undefined;
  readonly #options: CommEmulatorOptions;
  readonly #listening: Listening;
  readonly #clock: Clock;
  readonly #accessKey = randomBytes(32).toString("base64");
  readonly #closing = new AbortController();
  readonly #grid: EventGrid;
  readonly #network: CallNetwork;
  readonly #repeatability = new Repeatability();
  /** Ringing incoming calls, by their context. */
  readonly #waiting = new Map<string, EmulatedCall | "taken">();
  readonly #refusals: number[] = [];

  constructor(options: CommEmulatorOptions, listening: Listening) {
    super();
    const {
      clock = systemClock,
      incomingCallCopies: copies = 1,
      incomingCallRetries: retries = "as documented",
    } = options;
    this.#options = options;
    this.#clock = clock;
    this.url = `http://${listening.host}`;
    this.tokens = createCallTokens(this.url, this.resourceId);
    this.connectionString = `endpoint=${this.url}/;accesskey=${this.#accessKey}`;
    this.#listening = listening;
    this.#grid = createEventGrid({ clock, signal: this.#closing.signal, copies, retries });
    this.#network = {
      endsRingingCalls: true,
      call: (id) => this.calls.find((call) => call.id === id),
      place: (to, from, setup) => this.#place(to, from, setup),
      answer: (incomingCallContext, setup) => this.#answer(incomingCallContext, setup),
      redirect: (incomingCallContext, to) => this.#redirect(incomingCallContext, to),
      reject: (incomingCallContext) => this.#takeWaiting(incomingCallContext, (call) => call.reject()),
      transfer: (call, transfer) => this.#call(transfer, (phone) => call.transfer(transfer, phone)),
      addParticipant: (call, added) => this.#call(added, (phone) => call.addParticipant(added, phone)),
      hasGroupCalls: true,
    };
  }

  get issuer(): string {
    return this.url;
  }

  get jwksUrl(): string {
    return `${this.url}/calling/keys`;
  }

  get repetitions(): number {
    return this.requests.filter(({ isRepetition }) => isRepetition).length;
  }

  /** Answers the next requests like this, before they reach the network. */
  refuseNext(...statuses: readonly number[]): void {
    this.#refusals.push(...statuses);
  }

  /** From now on, a call that still rings cannot be ended by a request. */
  refuseToEndRingingCalls(): void {
    this.#network.endsRingingCalls = false;
  }

  /** From now on nobody can be added to a running call. */
  refuseGroupCalls(): void {
    this.#network.hasGroupCalls = false;
  }

  subscribe(webhookUrl: string): Promise<void> {
    return this.#grid.subscribe(webhookUrl);
  }

  /**
   * Dials the service's number; resolves when the incoming call was announced. `chain`: the correlation id of the call that this one
   * goes on from, which every further leg has, too ("Also called ChainId" in the SDK's `CallConnectionProperties.correlationId`).
   */
  async dial(from: string, to: string, handset: Handset, chain?: string): Promise<EmulatedCall> {
    const call = this.#newCall({ direction: "inbound", from, to, handset, correlationId: chain });
    const context = randomBytes(48).toString("base64");
    this.#waiting.set(context, call);
    const cancel = this.#clock.setTimer(incomingCallContextMs, () => {
      if (this.#waiting.get(context) === call) call.refuse("no-answer");
      this.#waiting.delete(context);
    });
    void call.ended.then(cancel);
    const status = await this.#grid.deliverIncomingCall(call, context);
    if (status < 200 || status > 204)
      throw new VoiceError("upstream_unavailable", `the incoming call was not taken by the webhook (${status})`);
    return call;
  }

  async close(): Promise<void> {
    for (const call of this.calls) call.hangUp("phone");
    this.#closing.abort();
    await this.#listening.close();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = new URL(request.url ?? "/", this.url);
    if (target.pathname === "/calling/keys") return sendJson(response, 200, await this.tokens.keySet());
    if (target.pathname.startsWith("/calling/")) return this.#handleOperation(target, request, response);
    if (this.#options.also?.(request, response) !== true) sendJson(response, 404);
    return undefined;
  }

  async #handleOperation(target: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, largestBodyBytes);
    const { method = "GET", headers } = request;
    const pathAndQuery = `${target.pathname}${target.search}`;
    const isSigned = isSignedBy(this.#accessKey, { method, pathAndQuery, headers, body }, this.#clock.wallNow());
    const operation = `${method} ${target.pathname.replace(/\/[0-9a-f-]{36}/, "/{id}")}`;
    const host = headers.host ?? "";
    const interference = this.interfere(operation);
    if (interference !== undefined) {
      const { status, contentType = "application/json", text } = interference;
      this.requests.push({ operation, host, status, isRepetition: false });
      response.writeHead(status, { "content-type": contentType }).end(text);
      return undefined;
    }
    return this.answer(response, { operation, host, status: 0, isRepetition: false }, async () => {
      const answer = isSigned ? await this.#act(method, target.pathname, body, request) : refused({ status: 401 });
      const { status, isRepetition } = answer;
      return { seen: { operation, host, status, isRepetition }, body: answer.body };
    });
  }

  async #act(method: string, path: string, body: Buffer, request: IncomingMessage): Promise<OnceAnswered> {
    const refusal = this.#refusals.shift();
    if (refusal !== undefined)
      return refused({ status: refusal, body: { error: { code: "Refused", message: "as told" } } });
    const { "repeatability-request-id": requestId, "repeatability-first-sent": firstSent } = request.headers;
    const repetition = requestId === undefined ? undefined : JSON.stringify([requestId, firstSent]);
    return this.#repeatability.once(repetition, () =>
      answerRest(this.#network, method, path, body.length === 0 ? undefined : JSON.parse(body.toString("utf8"))),
    );
  }

  #place(to: string, from: string, setup: CallSetup): EmulatedCall | undefined {
    const subscriber = this.#options.directory(to);
    if (subscriber === "invalid") return undefined;
    const call = this.#newCall({ direction: "outbound", from, to, handset: subscriber });
    setImmediate(() => void call.ring(setup));
    return call;
  }

  #answer(incomingCallContext: string, setup: CallSetup): EmulatedCall | "taken" | undefined {
    const call = this.#waiting.get(incomingCallContext);
    if (call === undefined || call === "taken") return call;
    if (call.state === "disconnected") return undefined;
    this.#waiting.set(incomingCallContext, "taken");
    setImmediate(() => call.answer(setup));
    return call;
  }

  #redirect(incomingCallContext: string, to: string): boolean | undefined {
    const phone = this.#options.directory(to);
    if (phone === "invalid") return undefined;
    return this.#takeWaiting(incomingCallContext, (call) => void call.redirect(to, phone));
  }

  #takeWaiting(incomingCallContext: string, take: (call: EmulatedCall) => void): boolean {
    const call = this.#waiting.get(incomingCallContext);
    if (call === undefined || call === "taken" || call.state !== "connecting") return false;
    this.#waiting.set(incomingCallContext, "taken");
    take(call);
    return true;
  }

  #call({ target }: TransferRequest, ring: (phone: Handset) => Promise<void>): boolean {
    const phone = this.#options.directory(target);
    if (phone === "invalid") return false;
    void ring(phone);
    return true;
  }

  #newCall(line: Pick<EmulatedCallOptions, "direction" | "from" | "to" | "handset" | "correlationId">): EmulatedCall {
    const { ringMs = defaultRingMs, recogniser, deliveryFaults: faults = {} } = this.#options;
    const { tokens } = this;
    const clock = this.#clock;
    // One sender per call: the events of one call wait for each other, and those of different calls do not.
    const sender = new CallbackSender({
      tokens,
      clock,
      signal: this.#closing.signal,
      faults,
      onSent: (sent) => this.callbacks.push(sent),
    });
    const onBrokenStream = (): OnBrokenStream => this.onBrokenStream;
    const common = { tokens, clock, sender, ringMs, recogniser, onBrokenStream };
    const call = new EmulatedCall({ ...line, ...common });
    this.calls.push(call);
    return call;
  }
}

/** Refused before it was checked whether the request is a repetition. */
function refused(answer: RestAnswer): OnceAnswered {
  return { ...answer, isRepetition: false };
}
