import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { describe, expect, it } from "vitest";

import type { CapturedFrame } from "@voice/client-kit/audio/worklet-messages";
import type { SocketEvents } from "@voice/client-kit/connection/reconnecting-socket";
import { PhoneSession } from "./phone-session.ts";
import { soundWhileRinging } from "./ring-sound.ts";

class Page {
  readonly clock = new VirtualClock();
  readonly sent: unknown[] = [];
  readonly played: string[] = [];
  attempts = 0;
  readonly microphones: string[] = [];
  microphoneError: Error | undefined;
  speak: (frame: CapturedFrame) => void = () => undefined;
  #events: SocketEvents | undefined;

  readonly phone = new PhoneSession({
    clock: this.clock,
    random: () => 0,
    whenBack: () => () => undefined,
    openSocket: (_url, events) => {
      this.#events = events;
      this.attempts += 1;
      return {
        send: (data) => this.sent.push(typeof data === "string" ? JSON.parse(data) : data.byteLength),
        close: () => undefined,
      };
    },
    socketUrl: () => "ws://page/phone/browser",
    openSound: () =>
      Promise.resolve({
        openMicrophone: async (sampleRateHz: number, onFrame: (frame: CapturedFrame) => void) => {
          if (this.microphoneError !== undefined) throw this.microphoneError;
          this.microphones.push(`open at ${sampleRateHz}`);
          this.speak = onFrame;
          return { stop: () => void this.microphones.push("closed") };
        },
        addVoice: () => ({
          play: (samples, sampleRateHz) => void this.played.push(`${samples.byteLength} at ${sampleRateHz}`),
          silence: () => void this.played.push("silence"),
          close: () => void this.played.push("closed"),
        }),
      }),
    describeSoundProblem: () => "The microphone was refused.",
    whenInUse: (callback) => {
      this.focus = callback;
      return () => (this.focus = () => undefined);
    },
  });
  focus: () => void = () => undefined;

  /** Plugged in and known to the network. */
  static plugged(): Page {
    const page = new Page();
    page.phone.plugIn();
    page.#events?.onOpen();
    page.hears({ kind: "at-home", own: "+12025550187", phones: [{ number: "+12025550180", about: "busy" }] });
    return page;
  }

  hears(message: object): void {
    this.#events?.onText(JSON.stringify(message));
  }

  hearsAudio(bytes: number): void {
    this.#events?.onBinary(new ArrayBuffer(bytes));
  }

  loses(): void {
    this.#events?.onClose(1006, "");
  }

  async settle(): Promise<void> {
    await this.clock.advanceAsync(0);
  }

  async pickedUp(sampleRateHz = 16_000): Promise<void> {
    this.hears({ kind: "ringing", from: "+12025550100" });
    await this.phone.answer();
    this.hears({ kind: "connected", sampleRateHz });
    await this.settle();
  }

  get state() {
    return this.phone.store.get();
  }
}

const frame: CapturedFrame = { samples: new ArrayBuffer(640), level: 0 };

describe("a phone in the page", () => {
  it("knows its number and the others, and rings", () => {
    const page = Page.plugged();
    page.hears({ kind: "ringing", from: "+12025550100" });
    expect(page.state).toMatchObject({ own: "+12025550187", call: "ringing", from: "+12025550100" });
    expect(page.state.phones).toEqual([{ number: "+12025550180", about: "busy" }]);
  });

  it("answers with the microphone, hears, presses keys and hangs up", async () => {
    const page = Page.plugged();
    await page.pickedUp();
    page.speak(frame);
    page.hearsAudio(640);
    page.hears({ kind: "stop-audio" });
    page.phone.press("5");
    page.phone.hangUp();
    page.hears({ kind: "ended", why: "the phone hung up" });
    expect(page.sent).toEqual([{ kind: "answer" }, 640, { kind: "press", key: "5" }, { kind: "hang-up" }]);
    expect(page.played).toEqual(["640 at 16000", "silence", "closed"]);
    expect(page.microphones).toEqual(["open at 16000", "closed"]);
    expect(page.state).toMatchObject({ call: "none", note: "You hung up." });
  });

  it("[OPS-35] says that its tab is used, whenever the user comes to it", () => {
    const page = Page.plugged();
    page.focus();
    expect(page.sent).toEqual([{ kind: "in-use" }]);
  });

  it("[OPS-35] is heard until it is picked up", async () => {
    const page = Page.plugged();
    let sounds = 0;
    soundWhileRinging(page.phone, page.clock, () => (sounds += 1));
    page.hears({ kind: "ringing", from: "+12025550100" });
    await page.clock.advanceAsync(7000);
    expect(sounds).toBe(3);
    await page.phone.answer();
    await page.clock.advanceAsync(7000);
    expect(sounds).toBe(3);
  });

  it("speaks at the rate of the call", async () => {
    const page = Page.plugged();
    await page.pickedUp(24_000);
    expect(page.microphones).toEqual(["open at 16000", "closed", "open at 24000"]);
  });

  it("goes on ringing when the microphone is refused, and says so", async () => {
    const page = Page.plugged();
    page.microphoneError = new Error("NotAllowedError");
    page.hears({ kind: "ringing", from: "+12025550100" });
    await page.phone.answer();
    expect(page.state).toMatchObject({ call: "ringing", problem: "The microphone was refused." });
    page.phone.decline();
    expect(page.sent).toEqual([{ kind: "decline" }]);
    expect(page.state.call).toBe("none");
  });

  it("calls the service", async () => {
    const page = Page.plugged();
    await page.phone.dial();
    expect(page.state.call).toBe("calling");
    page.hears({ kind: "ended", why: "nobody took the call" });
    expect(page.sent).toEqual([{ kind: "dial" }]);
    expect(page.state).toMatchObject({ call: "none", note: "The call is over: nobody took the call." });
  });

  it("is off the line, and known to nobody, when the connection is lost", async () => {
    const page = Page.plugged();
    await page.pickedUp();
    page.loses();
    expect(page.state).toMatchObject({ own: undefined, call: "none" });
    expect(page.microphones.at(-1)).toBe("closed");
  });

  it("is a phone again when the service comes back, however long it was away", async () => {
    const page = Page.plugged();
    for (let failures = 0; failures < 100; failures += 1) {
      page.loses();
      await page.clock.advanceAsync(5000, 1000);
    }
    page.hears({ kind: "at-home", own: "+12025550187", phones: [] });
    expect(page.state.own).toBe("+12025550187");
    expect(page.attempts).toBe(101);
  });
});
