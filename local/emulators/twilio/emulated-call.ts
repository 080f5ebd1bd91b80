/**
 * One call at Twilio: a phone at one end and TwiML at the other. It does what the latest document says, verb by verb, and asks us for the
 * next one when a verb says so.
 */
import { randomBytes } from "node:crypto";
import { pause } from "@voice/shared/platform/pause";
import type { Ear, Handset } from "../../phone/handset.ts";
import { fetchAudio } from "../comm/play-file.ts";
import { playHoldMusic } from "../comm/hold-music.ts";
import { PhonesTogether } from "../comm/phones-together.ts";
import { RingingPhones } from "../comm/ringing-phones.ts";
import type { CallSetup, EmulatedCallOptions } from "./call-setup.ts";
import { MediaStream } from "./media-stream.ts";
import { readTwiml } from "./read-twiml.ts";
import type { Element } from "./read-twiml.ts";
import { refusedStatus } from "./refused-status.ts";
import type { CallStatus } from "./refused-status.ts";

const rateHz = 8000;
/** How long Twilio takes to say who answered. */
const detectionMs = 1500;

export class EmulatedTwilioCall {
  readonly sid = `CA${randomBytes(16).toString("hex")}`;
  readonly createdMs: number;
  readonly direction: "inbound" | "outbound-api";
  readonly from: string;
  readonly to: string;
  /** Resolves when the phone is free again. */
  readonly isFree: Promise<void>;
  readonly #free = Promise.withResolvers<void>();
  readonly #options: EmulatedCallOptions;
  readonly #phones: RingingPhones;
  #status: CallStatus = "queued";
  #setup: CallSetup | undefined;
  #sequence = 0;
  /** Ends what the call is doing. */
  #doing = new AbortController();
  #ear: Ear | undefined;
  #stream: MediaStream | undefined;
  #together: PhonesTogether | undefined;
  #music: (() => void) | undefined;
  /** All media streams of the call. */
  readonly streams: MediaStream[] = [];

  constructor(options: EmulatedCallOptions) {
    this.#options = options;
    this.direction = options.direction;
    this.from = options.from;
    this.to = options.to;
    this.createdMs = options.clock.wallNow();
    this.#phones = new RingingPhones(options);
    this.isFree = this.#free.promise;
  }

  get status(): CallStatus {
    return this.#status;
  }

  /** Outbound: rings the phone, and follows the instructions when somebody picks up. */
  async ring(setup: CallSetup): Promise<void> {
    this.#setup = setup;
    void this.#report("initiated");
    this.#status = "ringing";
    void this.#report("ringing");
    const outcome = await this.#phones.ring({ from: this.from, to: this.to }, this.#options.handset);
    if (this.isOver) return;
    if (outcome !== "answered") {
      await this.#end(refusedStatus(outcome).status, refusedStatus(outcome).sip);
      return;
    }
    this.#pickUp();
    void this.#report("in-progress");
    if (setup.machineCallback !== undefined) void this.#detect(setup.machineCallback);
    await this.follow(setup.twiml);
  }

  /** Inbound: requests instructions while it rings, and follows whatever is answered. Never rejects. */
  async come(voiceUrl: string, statusUrl: string | undefined): Promise<void> {
    this.#setup = { twiml: "", statusCallback: statusUrl, statusEvents: ["completed"], machineCallback: undefined };
    this.#status = "ringing";
    const twiml = await this.#options.webhooks.ask(voiceUrl, this.#fields("ringing"));
    if (this.isOver) return;
    // "An application error has occurred. Goodbye."
    await (twiml === undefined ? this.#end("failed") : this.follow(twiml));
  }

  get isOver(): boolean {
    return !["queued", "ringing", "in-progress"].includes(this.#status);
  }

  /** Does what the document says, in place of what it was doing. */
  async follow(twiml: string): Promise<void> {
    const verbs = readTwiml(twiml);
    this.#stopDoing();
    const doing = new AbortController();
    this.#doing = doing;
    const [first] = verbs;
    if (this.#status === "ringing" && first?.name === "Reject") return this.#end("busy");
    for (const verb of verbs) {
      if (this.#status !== "in-progress") this.#pickUp();
      const next = await this.#do(verb, doing.signal);
      if (doing.signal.aborted || this.isOver) return undefined;
      if (next !== undefined) return this.follow(next);
    }
    // Nothing is left to do.
    return this.#end("completed");
  }

  hangUp(by: "phone" | "service"): void {
    if (this.#together !== undefined) this.#together.end("the phone hung up", "the other one hung up");
    if (this.isOver) return;
    const wasConnected = this.#status === "in-progress";
    void this.#end(
      wasConnected ? "completed" : "canceled",
      undefined,
      by === "phone" ? "the phone hung up" : undefined,
    );
  }

  get stream(): MediaStream | undefined {
    return this.#stream;
  }

  /** Resolves with the next document, if the verb requests one. */
  async #do(verb: Element, signal: AbortSignal): Promise<string | undefined> {
    switch (verb.name) {
      case "Connect":
        await this.#connect(verb, signal);
        return undefined;
      case "Pause":
        await pause(this.#options.clock, Number(verb.attributes["length"] ?? 1) * 1000, signal);
        return undefined;
      case "Play":
        await this.#play(verb, signal);
        return undefined;
      case "Dial":
        return this.#dial(verb, signal);
      case "Redirect":
        return this.#ask(verb.text.trim());
      case "Hangup":
      default:
        await this.#end("completed");
        return undefined;
    }
  }

  /** A call whose question nobody answers ends (error 11200). */
  async #ask(url: string, more: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
    const twiml = await this.#options.webhooks.ask(url, { ...this.#fields(this.#status), ...more });
    if (twiml === undefined && !this.isOver) await this.#end("completed");
    return twiml;
  }

  async #connect(verb: Element, signal: AbortSignal): Promise<void> {
    const [noun] = verb.children;
    const url = noun?.attributes["url"] ?? "";
    const statusCallback = noun?.attributes["statusCallback"];
    const { accountSid, webhooks, clock, delayMs, onBrokenStream } = this.#options;
    const ended = Promise.withResolvers<void>();
    const stream = new MediaStream({
      url,
      signature: webhooks.signatureOf(url),
      accountSid,
      callSid: this.sid,
      clock,
      delayMs: delayMs(),
      onAudio: (samples) => this.#ear?.onAudio(samples),
      onClear: () => this.#ear?.onStopAudio(),
      onOpen: () => this.#reportStream(statusCallback, stream, "stream-started"),
      onEnded: (end) => {
        if (end === "broken" && onBrokenStream() === "says nothing") return;
        if (end !== "closed") this.#reportStream(statusCallback, stream, "stream-error");
        ended.resolve();
      },
    });
    this.#stream = stream;
    this.streams.push(stream);
    const stop = (): void => {
      stream.stop();
      ended.resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
    await ended.promise;
    signal.removeEventListener("abort", stop);
    this.#reportStream(statusCallback, stream, "stream-stopped");
    if (this.#stream === stream) this.#stream = undefined;
  }

  async #play(verb: Element, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const digits = verb.attributes["digits"];
    if (digits !== undefined) {
      this.#ear?.onKeys(digits.replaceAll("w", ""));
      await pause(clock, digits.length * 500, signal);
    } else if (verb.attributes["loop"] === "0") {
      this.#music = playHoldMusic(clock, rateHz, (frame) => this.#ear?.onAudio(frame));
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    } else {
      const samples = await fetchAudio(verb.text.trim(), rateHz).catch(() => undefined); // warning 11200, and on
      if (samples === undefined || signal.aborted) return;
      this.#ear?.onAudio(samples);
      await pause(clock, (samples.length / rateHz) * 1000, signal);
    }
  }

  /** Connects another number in place of the document, and requests the next document at its end. */
  async #dial(verb: Element, signal: AbortSignal): Promise<string | undefined> {
    const [noun] = verb.children;
    const target = noun?.text.trim() ?? "";
    const { directory, clock } = this.#options;
    const child = `CA${randomBytes(16).toString("hex")}`;
    const handset = directory(target);
    const ringing = new RingingPhones({ clock, ringMs: Number(verb.attributes["timeout"] ?? 30) * 1000 });
    signal.addEventListener("abort", () => ringing.stop(), { once: true });
    const from = verb.attributes["callerId"] ?? this.from;
    const outcome = handset === "invalid" ? "unknown" : await ringing.ring({ from, to: target, headers: {} }, handset);
    if (signal.aborted || this.isOver) return undefined;
    const action = verb.attributes["action"];
    if (handset === "invalid" || outcome !== "answered") {
      const { status, sip } = refusedStatus(outcome === "answered" ? "unknown" : outcome);
      const answer = {
        DialCallStatus: status,
        DialCallSid: child,
        // Only the noun <Sip> has it (twilio.com/docs/voice/twiml/sip).
        ...(noun?.name === "Sip" && sip !== undefined && { DialSipResponseCode: `${sip}` }),
      };
      return action === undefined ? undefined : this.#ask(action, answer);
    }
    await this.#talk(handset, child, noun?.attributes["statusCallback"]);
    if (this.isOver) return undefined;
    const over = { DialCallStatus: "completed", DialCallSid: child, DialCallDuration: "1" };
    return action === undefined ? undefined : this.#ask(action, over);
  }

  async #talk(handset: Handset, child: string, statusCallback: string | undefined): Promise<void> {
    const own = this.#ear;
    const other = handset.talk({
      callId: child,
      sampleRateHz: rateHz,
      speak: (frame) => this.#together?.secondSpeaks(frame),
      press: (key) => this.#together?.secondPresses(key),
      hangUp: () => this.#together?.end("the other one hung up", "the phone hung up"),
    });
    if (own === undefined) return;
    own.onStopAudio();
    this.#together = new PhonesTogether(own, other);
    if (statusCallback !== undefined) {
      const fields = { ...this.#fields("in-progress"), CallSid: child, ParentCallSid: this.sid };
      void this.#options.webhooks.report(statusCallback, fields);
    }
    await this.#together.ended;
  }

  #pickUp(): void {
    this.#status = "in-progress";
    this.#ear ??= this.#options.handset.talk({
      callId: this.sid,
      sampleRateHz: rateHz,
      speak: (frame) => (this.#together === undefined ? this.#stream?.speak(frame) : this.#together.firstSpeaks(frame)),
      press: (key) => (this.#together === undefined ? this.#stream?.press(key) : this.#together.firstPresses(key)),
      hangUp: () => this.hangUp("phone"),
    });
  }

  /** Detection runs beside the conversation, and says so once (`AsyncAmd`). */
  async #detect(url: string): Promise<void> {
    await pause(this.#options.clock, detectionMs);
    if (this.isOver) return;
    const { CallSid, AccountSid } = this.#fields(this.#status);
    const AnsweredBy = this.#options.answeredBy(this.to);
    await this.#options.webhooks.report(url, {
      CallSid: CallSid ?? "",
      AccountSid: AccountSid ?? "",
      AnsweredBy,
      MachineDetectionDuration: `${detectionMs}`,
    });
  }

  #stopDoing(): void {
    this.#doing.abort();
    this.#music?.();
    this.#music = undefined;
    if (this.#together !== undefined) this.#together.end("the service hung up", "the service hung up");
    this.#together = undefined;
  }

  async #end(status: CallStatus, sip?: number, why = "the service hung up"): Promise<void> {
    if (this.isOver) return;
    this.#status = status;
    this.#phones.stop();
    this.#stopDoing();
    this.#ear?.onEnded(why);
    this.#free.resolve();
    await this.#report(status, sip === undefined ? {} : { SipResponseCode: `${sip}` });
  }

  async #report(status: CallStatus | "initiated", more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { statusCallback, statusEvents = [] } = this.#setup ?? {};
    const event = status === "in-progress" ? "answered" : status;
    const isWanted = statusEvents.includes(event) || (this.isOver && statusEvents.includes("completed"));
    if (statusCallback === undefined || !isWanted) return;
    const SequenceNumber = `${this.#sequence++}`;
    await this.#options.webhooks.report(statusCallback, { ...this.#fields(status), SequenceNumber, ...more });
  }

  #reportStream(url: string | undefined, { sid }: MediaStream, event: string): void {
    if (url === undefined) return;
    const { accountSid, clock, webhooks } = this.#options;
    const Timestamp = new Date(clock.wallNow()).toISOString();
    const fields = { AccountSid: accountSid, CallSid: this.sid, StreamSid: sid, StreamEvent: event, Timestamp };
    void webhooks.report(url, fields);
  }

  #fields(status: string): Readonly<Record<string, string>> {
    const { accountSid, clock } = this.#options;
    return {
      AccountSid: accountSid,
      ApiVersion: "2010-04-01",
      CallSid: this.sid,
      CallStatus: status,
      Direction: this.direction,
      From: this.from,
      To: this.to,
      Timestamp: new Date(clock.wallNow()).toUTCString(),
    };
  }
}
