/**
 * A call that reaches the service through a telephony platform: the platform's side of the hook protocol, version 2,
 * between the service's socket and a phone. As strict as the vendor's reference client: it answers a protocol error
 * with `error`, hangs up, and records it in `faults` (Genesys AudioHook protocol reference, version 2, and purecloudlabs/
 * audiohook-reference-implementation: docs/vendors/telephony-platform.md). The files beside this one follow the same sources.
 */
import { randomUUID } from "node:crypto";
import { createChunker } from "@voice/provider-kit/audio/chunker";
import { decodeMulaw, encodeMulaw, mulawSilence } from "@voice/provider-kit/audio/mulaw";
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";
import type { Ear, Handset } from "../../phone/handset.ts";
import { HookPlayback } from "./hook-playback.ts";
import { HookSocket } from "./hook-socket.ts";
import type { ServerHookMessage } from "./server-messages.ts";
import { signRequest } from "./sign-request.ts";
import type { PlatformKey } from "./sign-request.ts";

export interface PlatformCallOptions {
  /** `ws://…/api/v1/telephony/stream` with the integration's query parameters. */
  readonly url: URL;
  readonly from: string;
  readonly to: string;
  readonly phone: Handset;
  readonly clock: Clock;
  readonly key?: PlatformKey | undefined;
  readonly inputVariables?: Readonly<Record<string, string>>;
  readonly organizationId?: string;
  /** Sessions of which this one is a further part. */
  readonly continues?: readonly string[];
}

export interface PlatformOutcome {
  /** The reason in the service's `disconnect`, or `end` if the phone hung up. */
  readonly reason: string;
  readonly outputVariables: Readonly<Record<string, string>>;
  readonly closeCode: number;
}

const rateHz = 8000;
/** The real platform sends 200 ms at a time. */
const chunkBytes = 1600;
const openTimeoutMs = 5000;
const firstPingMs = 1000;
const pingEveryMs = 5000;
const closeTimeoutMs = 10_000;

export class PlatformCall {
  readonly sessionId = randomUUID();
  readonly ended: Promise<PlatformOutcome>;
  readonly #options: PlatformCallOptions;
  readonly #organizationId: string;
  readonly #outcome = Promise.withResolvers<PlatformOutcome>();
  readonly #socket: HookSocket;
  readonly #playback: HookPlayback;
  readonly #chunker = createChunker(chunkBytes, mulawSilence);
  #state: "opening" | "open" | "closing" = "opening";
  #wasOpened = false;
  #isHeld = false;
  /** The sequence number of the unanswered ping. */
  #pingSeq: number | undefined;
  #pongs = 0;
  #reason = "end";
  #outputVariables: Readonly<Record<string, string>> = {};
  #ear: Ear | undefined;
  #cancelPing: CancelTimer | undefined;
  #cancelWait: CancelTimer | undefined;

  constructor(options: PlatformCallOptions) {
    const { clock, url } = options;
    this.#options = options;
    this.#organizationId = options.organizationId ?? randomUUID();
    this.ended = this.#outcome.promise;
    this.#socket = new HookSocket({
      url,
      sessionId: this.sessionId,
      headers: this.#headers(),
      clock,
      onOpen: () => this.#sendOpen(),
      onMessage: (message) => this.#receive(message),
      onAudio: (bytes) => this.#receiveAudio(bytes),
      onFault: (code, problem) => this.#breakOff(code, problem),
      onClose: (closeCode) => this.#end(closeCode),
    });
    this.#playback = new HookPlayback(clock, rateHz, (type) => this.#socket.send(type, {}));
  }

  /** The service's protocol errors. */
  get faults(): readonly string[] {
    return this.#socket.faults;
  }

  /** All text messages received from the service, in order. */
  get received(): readonly ServerHookMessage[] {
    return this.#socket.received;
  }

  /** The platform's own hold: no audio is sent, and none is expected. */
  hold(forMs: number): void {
    this.#isHeld = true;
    this.#socket.send("paused", {});
    this.#options.clock.setTimer(forMs, () => {
      this.#isHeld = false;
      this.#socket.send("resumed", { start: "PT0S", discarded: `PT${forMs / 1000}S` });
    });
  }

  hangUp(): void {
    this.#close("end");
  }

  #headers(): Readonly<Record<string, string>> {
    const { url, key, clock } = this.#options;
    const identity = {
      "audiohook-organization-id": this.#organizationId,
      "audiohook-session-id": this.sessionId,
      "audiohook-correlation-id": randomUUID(),
    };
    return key === undefined ? identity : signRequest(url, identity, key, clock.wallNow());
  }

  #sendOpen(): void {
    const { from, to, inputVariables = {}, continues = [], clock } = this.#options;
    this.#socket.send("open", {
      organizationId: this.#organizationId,
      conversationId: randomUUID(),
      participant: { id: randomUUID(), ani: from, aniName: "", dnis: to },
      media: [{ type: "audio", format: "PCMU", channels: ["external"], rate: rateHz }],
      inputVariables,
      continuedSessions: continues.map((id) => ({ id, serverseq: 1, clientseq: 1 })),
    });
    this.#cancelWait = clock.setTimer(openTimeoutMs, () => this.#fault(408, "`opened` did not come"));
  }

  #receive(message: ServerHookMessage): void {
    switch (message.type) {
      case "opened":
        this.#open(message.parameters.media);
        return;
      case "pong":
        this.#receivePong(message.clientseq);
        return;
      case "event":
        for (const { type } of message.parameters.entities) if (type === "barge_in") this.#dropPlayback();
        return;
      case "disconnect":
        this.#reason = message.parameters.reason;
        this.#outputVariables = message.parameters.outputVariables ?? {};
        this.#close("disconnect");
        return;
      case "closed":
        if (this.#state !== "closing") this.#fault(409, "closed without being asked");
        this.#outputVariables = { ...this.#outputVariables, ...message.parameters.outputVariables };
        this.#socket.close();
        return;
      case "updated":
    }
  }

  #open(media: readonly unknown[]): void {
    this.#cancelWait?.();
    if (this.#wasOpened || media.length !== 1) {
      this.#fault(400, `opened with ${media.length} media`);
      return;
    }
    this.#wasOpened = true;
    if (this.#state === "opening") this.#state = "open";
    const { clock, phone } = this.#options;
    this.#cancelPing = clock.setTimer(firstPingMs, () => this.#ping());
    this.#ear = phone.talk({
      callId: this.sessionId,
      sampleRateHz: rateHz,
      speak: (frame) => {
        if (this.#isHeld || this.#state === "closing") return;
        this.#chunker.push(encodeMulaw(frame), (chunk) => this.#socket.sendAudio(chunk));
      },
      press: (digit) => this.#socket.send("dtmf", { digit }),
      hangUp: () => this.#close("end"),
    });
  }

  #ping(): void {
    if (this.#pingSeq !== undefined) {
      this.#fault(408, "a ping was not answered");
      return;
    }
    this.#pingSeq = this.#socket.send("ping", this.#pongs === 0 ? {} : { rtt: "PT0.01S" });
    this.#cancelPing = this.#options.clock.setTimer(pingEveryMs, () => this.#ping());
  }

  #receivePong(clientSeq: number): void {
    if (clientSeq !== this.#pingSeq) this.#fault(400, `pong to ${clientSeq}, not to the ping ${this.#pingSeq}`);
    this.#pingSeq = undefined;
    this.#pongs++;
    // The second ping follows at once and carries the round-trip time measured by the first.
    if (this.#pongs !== 1 || this.#state === "closing") return;
    this.#cancelPing?.();
    this.#ping();
  }

  #receiveAudio(bytes: Uint8Array): void {
    if (!this.#wasOpened) this.#fault(415, "audio before `opened`");
    if (this.#state === "closing") return;
    this.#playback.play(bytes.length);
    this.#ear?.onAudio(decodeMulaw(bytes));
  }

  #dropPlayback(): void {
    this.#playback.drop();
    this.#ear?.onStopAudio();
  }

  /** Records a protocol error of the service and ends the call. */
  #fault(code: number, problem: string): void {
    this.#socket.addFault(problem);
    this.#breakOff(code, problem);
  }

  #breakOff(code: number, problem: string): void {
    this.#socket.send("error", { code, message: problem });
    this.#close("error");
  }

  #close(why: string): void {
    if (this.#state === "closing") return;
    this.#state = "closing";
    this.#cancelPing?.();
    this.#cancelWait?.();
    this.#socket.send("close", { reason: why });
    this.#cancelWait = this.#options.clock.setTimer(closeTimeoutMs, () => {
      this.#socket.addFault("the service did not answer `close`");
      this.#socket.terminate();
    });
  }

  #end(closeCode: number): void {
    this.#cancelPing?.();
    this.#cancelWait?.();
    this.#playback.stop();
    const reason = this.#reason;
    this.#ear?.onEnded(reason === "end" ? "the phone hung up" : `the service gave the call back: ${reason}`);
    this.#outcome.resolve({ reason, outputVariables: this.#outputVariables, closeCode });
  }
}
