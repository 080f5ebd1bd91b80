/**
 * Twilio on loopback: the REST API 2010-04-01 as far as calls need it, its signed webhooks, TwiML and media streams, with telephones behind
 * it. What it speaks is taken from the package `twilio` 6.3.1 (lib/rest/api/v2010/account/call.d.ts, lib/twiml/VoiceResponse.d.ts,
 * lib/webhooks/webhooks.js) and from Twilio's pages that are named where they are followed.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import type { Handset } from "../../phone/handset.ts";
import type { Directory } from "../comm/emulator.ts";
import { EmulatedService, startService } from "../emulated-service.ts";
import type { Listening } from "../listen.ts";
import { readBody } from "../read-body.ts";
import type { CallSetup, OnBrokenTwilioStream } from "./call-setup.ts";
import { EmulatedTwilioCall } from "./emulated-call.ts";
import { readTwiml } from "./read-twiml.ts";
import { TwilioWebhooks } from "./twilio-webhooks.ts";

export interface TwilioEmulatorOptions {
  readonly port?: number | undefined;
  readonly clock?: Clock;
  readonly directory: Directory;
  readonly ringMs?: number | undefined;
  /** Twilio's opinion of who answers at a number; `human` where absent. */
  readonly answeredBy?: ((number: string) => string) | undefined;
  /** Handles requests that are not for Twilio, such as the phone's controls; false if it did not handle one. */
  readonly also?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export interface TwilioRequest {
  readonly operation: string;
  /** The name under which the sender addresses Twilio (`Host`). */
  readonly host: string;
  readonly status: number;
  readonly fields: URLSearchParams;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const defaultRingMs = 60_000;
const largestBodyBytes = 64 * 1024;
/** `PhoneNumber`s that the phone book calls invalid. */
const invalidTo = { status: 400, body: { code: 21_211, message: "Invalid 'To' Phone Number", status: 400 } };
const notFound = { status: 404, body: { code: 20_404, message: "The requested resource was not found", status: 404 } };
const notInProgress = {
  status: 400,
  body: { code: 21_220, message: "Call is not in-progress. Cannot redirect.", status: 400 },
};

export function startTwilioEmulator(options: TwilioEmulatorOptions): Promise<TwilioEmulator> {
  return startService((listening) => new TwilioEmulator(options, listening), options.port);
}

export class TwilioEmulator extends EmulatedService<TwilioRequest> {
  readonly url: string;
  readonly accountSid = `AC${randomBytes(16).toString("hex")}`;
  readonly authToken = randomBytes(16).toString("hex");
  readonly calls: EmulatedTwilioCall[] = [];
  readonly webhooks: TwilioWebhooks;
  /** How long after it was sent our audio is heard, of streams from now on. */
  delayMs = 0;
  /** Chooses what Twilio does about streams that break from now on. */
  onBrokenStream: OnBrokenTwilioStream = "goes on";
  readonly #options: TwilioEmulatorOptions;
  readonly #clock: Clock;
  readonly #numbers = new Map<string, { readonly voiceUrl: string; readonly statusUrl: string | undefined }>();
  readonly #over = new AbortController();
  readonly #listening: Listening;

  constructor(options: TwilioEmulatorOptions, listening: Listening) {
    super();
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.url = `http://${listening.host}`;
    this.#listening = listening;
    this.webhooks = new TwilioWebhooks(this.authToken, this.#over.signal);
  }

  /** What the console calls "A call comes in" and "Call status changes" of the number. */
  configureNumber(number: string, voiceUrl: string, statusUrl?: string): void {
    this.#numbers.set(number, { voiceUrl, statusUrl });
  }

  /** Dials the service's number. */
  async dial(from: string, to: string, handset: Handset): Promise<EmulatedTwilioCall> {
    const call = this.#newCall("inbound", from, to, handset);
    const number = this.#numbers.get(to);
    if (number === undefined) call.hangUp("service");
    else void call.come(number.voiceUrl, number.statusUrl);
    return call;
  }

  async close(): Promise<void> {
    for (const call of this.calls) call.hangUp("service");
    this.#over.abort();
    await this.#listening.close();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#options.also?.(request, response) === true) return undefined;
    const url = new URL(request.url ?? "/", this.url);
    const body = await readBody(request, largestBodyBytes);
    const fields = request.method === "POST" ? new URLSearchParams(body.toString()) : url.searchParams;
    const path = url.pathname.replace(`/2010-04-01/Accounts/${this.accountSid}`, "");
    const operation = `${request.method} ${path.replace(/CA[0-9a-f]{32}/, "{sid}")}`;
    const host = request.headers.host ?? "";
    return this.answer(response, { operation, host, status: 0, fields }, async () => {
      const { status, body: answered } = this.#isOurs(request)
        ? this.#answer(request.method ?? "GET", path, fields)
        : { status: 401, body: { code: 20_003, message: "Authenticate", status: 401 } };
      return { seen: { operation, host, status, fields }, body: answered };
    });
  }

  #isOurs({ headers }: IncomingMessage): boolean {
    const ours = Buffer.from(`${this.accountSid}:${this.authToken}`).toString("base64");
    return headers.authorization === `Basic ${ours}`;
  }

  #answer(method: string, path: string, fields: URLSearchParams): Answer {
    if (path === "/Calls.json") return method === "POST" ? this.#place(fields) : this.#list(fields);
    if (path === "/IncomingPhoneNumbers.json") return this.#listNumbers(fields);
    const sid = /^\/Calls\/(CA[0-9a-f]{32})\.json$/.exec(path)?.[1];
    const call = this.calls.find((one) => one.sid === sid);
    if (call === undefined) return notFound;
    return method === "POST" ? this.#update(call, fields) : { status: 200, body: this.#shown(call) };
  }

  #place(fields: URLSearchParams): Answer {
    const to = fields.get("To") ?? "";
    const twiml = fields.get("Twiml") ?? "";
    const handset = this.#options.directory(to);
    if (handset === "invalid" || !/^\+[1-9]\d{6,14}$/.test(to)) return invalidTo;
    const refusal = refusalOf(twiml);
    if (refusal !== undefined) return refusal;
    const call = this.#newCall("outbound-api", fields.get("From") ?? "", to, handset);
    const hasDetection = fields.get("MachineDetection") === "Enable" && fields.get("AsyncAmd") === "true";
    const setup: CallSetup = {
      twiml,
      statusCallback: fields.get("StatusCallback") ?? undefined,
      statusEvents: fields.getAll("StatusCallbackEvent"),
      machineCallback: hasDetection ? (fields.get("AsyncAmdStatusCallback") ?? undefined) : undefined,
    };
    const shown = this.#shown(call);
    void call.ring(setup);
    return { status: 201, body: shown };
  }

  #update(call: EmulatedTwilioCall, fields: URLSearchParams): Answer {
    const status = fields.get("Status");
    if (status !== null) {
      if (call.isOver) return notInProgress;
      call.hangUp("service");
      return { status: 200, body: this.#shown(call) };
    }
    if (call.status !== "in-progress") return notInProgress;
    const twiml = fields.get("Twiml") ?? "";
    const refusal = refusalOf(twiml);
    if (refusal !== undefined) return refusal;
    void call.follow(twiml);
    return { status: 200, body: this.#shown(call) };
  }

  #list(query: URLSearchParams): Answer {
    const since = Date.parse(query.get("StartTime>") ?? "1970-01-01");
    const found = this.calls.filter(
      ({ to, from, createdMs }) =>
        (query.get("To") ?? to) === to && (query.get("From") ?? from) === from && createdMs >= since,
    );
    return { status: 200, body: { calls: found.map((call) => this.#shown(call)) } };
  }

  #listNumbers(query: URLSearchParams): Answer {
    const wanted = query.get("PhoneNumber");
    const found = [...this.#numbers].filter(([number]) => number === wanted);
    const shown = found.map(([number, { voiceUrl, statusUrl = "" }]) => ({
      phone_number: number,
      voice_url: voiceUrl,
      voice_method: "POST",
      status_callback: statusUrl,
    }));
    return { status: 200, body: { incoming_phone_numbers: shown } };
  }

  /** As the Call resource shows a call, in its usual fields. */
  #shown({ sid, status, from, to, direction, createdMs }: EmulatedTwilioCall): unknown {
    const date_created = new Date(createdMs).toUTCString().replace("GMT", "+0000");
    return { sid, account_sid: this.accountSid, status, from, to, direction, date_created, api_version: "2010-04-01" };
  }

  #newCall(direction: EmulatedTwilioCall["direction"], from: string, to: string, handset: Handset): EmulatedTwilioCall {
    const { directory, ringMs = defaultRingMs, answeredBy = () => "human" } = this.#options;
    const call = new EmulatedTwilioCall({
      direction,
      from,
      to,
      accountSid: this.accountSid,
      handset,
      directory,
      webhooks: this.webhooks,
      clock: this.#clock,
      ringMs,
      delayMs: () => this.delayMs,
      onBrokenStream: () => this.onBrokenStream,
      answeredBy,
    });
    this.calls.push(call);
    return call;
  }
}

/** Twilio reads a document before it accepts the request. */
function refusalOf(twiml: string): Answer | undefined {
  try {
    readTwiml(twiml);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : "no TwiML";
    return { status: 400, body: { code: 12_100, message, status: 400 } };
  }
}
