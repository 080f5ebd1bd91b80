/** A phone in a browser: the console's page rings, and its microphone and loudspeaker carry the call. */
import { VoiceError } from "@voice/shared/platform/errors";
import { parseJson } from "@voice/shared/platform/parse-json";
import type { WebSocket } from "ws";
import { z } from "zod";
import { toBuffer } from "../emulators/socket-server.ts";
import type { Ear, Handset, Line, RingingCall, RingOutcome } from "./handset.ts";

/** What the page sends beside its microphone, whose frames of 20 ms are binary. */
const pageMessage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("answer") }),
  z.object({ kind: z.literal("decline") }),
  z.object({ kind: z.literal("dial") }),
  z.object({ kind: z.literal("hang-up") }),
  /** Somebody uses this page now. */
  z.object({ kind: z.literal("in-use") }),
  z.object({ kind: z.literal("press"), key: z.string().regex(/^[0-9*#]$/) }),
]);

/** The messages to the page. The other side's audio is sent beside them in binary: PCM16 at the rate of the call. */
export type PhoneMessage =
  | { readonly kind: "at-home"; readonly own: string; readonly phones: readonly { number: string; about: string }[] }
  | { readonly kind: "ringing"; readonly from: string }
  | { readonly kind: "connected"; readonly sampleRateHz: number }
  | { readonly kind: "stop-audio" }
  | { readonly kind: "keys"; readonly keys: string }
  | { readonly kind: "ended"; readonly why: string };

/** A call that this phone makes. */
export interface Dialled {
  readonly isFree: Promise<void>;
  hangUp(by: "phone"): void;
}

const framesPerSecond = 50;

export class BrowserPhone implements Handset {
  readonly #socket: WebSocket;
  readonly #dial: (phone: Handset) => Promise<Dialled>;
  readonly #onInUse: () => void;
  #pickUp: ((outcome: RingOutcome) => void) | undefined;
  #dialled: Dialled | "being dialled" | undefined;
  #line: Line | undefined;

  constructor(socket: WebSocket, dial: (phone: Handset) => Promise<Dialled>, onInUse: () => void = () => undefined) {
    this.#socket = socket;
    this.#onInUse = onInUse;
    this.#dial = dial;
    socket.on("message", (data, isBinary) => {
      if (isBinary) this.#speak(toBuffer(data));
      else this.#receive(toBuffer(data).toString("utf8"));
    });
    socket.on("close", () => this.#hangUp());
  }

  tell(message: PhoneMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  ring({ from }: RingingCall, signal: AbortSignal): Promise<RingOutcome> {
    if (this.#isBusy) return Promise.resolve("busy");
    return new Promise((resolve) => {
      const decide = (outcome: RingOutcome): void => {
        signal.removeEventListener("abort", stop);
        this.#pickUp = undefined;
        resolve(outcome);
      };
      const stop = (): void => {
        this.tell({ kind: "ended", why: "the caller gave up" });
        decide("declined");
      };
      this.#pickUp = decide;
      signal.addEventListener("abort", stop, { once: true });
      this.tell({ kind: "ringing", from });
    });
  }

  talk(line: Line): Ear {
    this.#line = line;
    this.tell({ kind: "connected", sampleRateHz: line.sampleRateHz });
    return {
      // A copy, because the sender may reuse the samples before the socket has sent them.
      onAudio: (samples) =>
        this.#socket.send(Buffer.from(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))),
      onStopAudio: () => this.tell({ kind: "stop-audio" }),
      onKeys: (keys) => this.tell({ kind: "keys", keys }),
      onEnded: (why) => {
        this.#line = undefined;
        this.tell({ kind: "ended", why });
      },
    };
  }

  get #isBusy(): boolean {
    return this.#line !== undefined || this.#pickUp !== undefined || this.#dialled !== undefined;
  }

  #speak(bytes: Buffer): void {
    const line = this.#line;
    if (line === undefined || bytes.length !== (line.sampleRateHz / framesPerSecond) * 2) return;
    line.speak(new Int16Array(new Uint8Array(bytes).buffer));
  }

  #receive(text: string): void {
    const message = pageMessage.safeParse(parseJson(text)).data;
    switch (message?.kind) {
      case "answer":
        return this.#pickUp?.("answered");
      case "decline":
        return this.#pickUp?.("declined");
      case "press":
        return this.#line?.press(message.key);
      case "dial":
        return void this.#call();
      case "hang-up":
        return this.#hangUp();
      case "in-use":
        return this.#onInUse();
      case undefined:
        return undefined;
    }
  }

  async #call(): Promise<void> {
    if (this.#isBusy) return;
    this.#dialled = "being dialled";
    let hasTalked = false;
    try {
      const call = await this.#dial({
        ring: () => Promise.resolve("answered"),
        talk: (line) => {
          hasTalked = true;
          return this.talk(line);
        },
      });
      // The caller may have hung up before the network knew of the call.
      if (this.#dialled === undefined) call.hangUp("phone");
      else this.#dialled = call;
      await call.isFree;
      if (!hasTalked) this.tell({ kind: "ended", why: "nobody took the call" });
    } catch (error) {
      if (!(error instanceof VoiceError)) throw error;
      this.tell({ kind: "ended", why: error.message });
    } finally {
      this.#dialled = undefined;
    }
  }

  #hangUp(): void {
    this.#pickUp?.("declined");
    const dialled = this.#dialled;
    this.#dialled = undefined;
    if (this.#line !== undefined) this.#line.hangUp();
    else if (typeof dialled === "object") dialled.hangUp("phone");
  }
}
