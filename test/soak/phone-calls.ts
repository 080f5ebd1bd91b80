/**
 * Phone calls for the soak: the emulated communication service, the functions app in a process of its own, and lines that
 * visitors talk on as on any other.
 */
import { fileURLToPath } from "node:url";
import type { CommEmulator } from "../../local/emulators/comm/emulator.ts";
import type { Ear, Handset, Line, RingOutcome } from "../../local/phone/handset.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { startLocalPhoneNetwork } from "../../local/phone-network.ts";
import { marks, markSign } from "../bench/instant-providers.ts";
import type { OpenLine } from "../bench/load/caller.ts";
import type { RawLine } from "../bench/load/raw-line.ts";
import type { Wire } from "../bench/load/wire.ts";
import { noise, spokenSamples } from "../bench/wire-frames.ts";
import { freePort } from "../support/free-port.ts";
import { createRestartableProcess } from "../support/restartable-process.ts";

const script = fileURLToPath(new URL("../../local/start-functions.ts", import.meta.url));
const rateHz = 16_000;
/** A call that is not answered by then has failed. */
const answerBoundMs = 30_000;

export interface PhoneCalls {
  /** For the host, which listens at `hostPort`. */
  readonly settings: Readonly<Record<string, string>>;
  /** To be called once the host listens. */
  connect(): Promise<void>;
  openLine(wire: Wire): OpenLine;
  close(): Promise<void>;
}

/** `ofService`: settings that every part of a service has, such as whether conversations are recorded, which is decided where a call begins. */
export async function startPhoneCalls(
  hostPort: number,
  cachePort: number,
  ofService: Readonly<Record<string, string>>,
): Promise<PhoneCalls> {
  await using parts = new AsyncDisposableStack();
  const port = await freePort();
  const network = await startLocalPhoneNetwork({
    baseUrl: `http://127.0.0.1:${port}`,
    streamingHostUrl: `ws://127.0.0.1:${hostPort}`,
  });
  parts.defer(() => network.close());
  const environment = { ...ofService, ...network.environment, CACHE_HOST: "127.0.0.1", CACHE_PORT: `${cachePort}` };
  const functions = createRestartableProcess({
    what: "the functions app",
    port,
    script,
    args: ["--port", `${port}`],
    environment,
    readyPath: "/api/v1/health",
  });
  parts.defer(() => functions.kill());
  await functions.start();
  const running = parts.move();
  return {
    settings: environment,
    connect: () => network.connect(),
    openLine: (wire) => (onMessage) => dial(network.emulator, wire, onMessage),
    close: () => running.disposeAsync(),
  };
}

async function dial(emulator: CommEmulator, wire: Wire, onMessage: (start: string) => void): Promise<RawLine> {
  const phone = new SoakPhone(wire, onMessage);
  const call = await emulator.dial(phoneNumbers.person, phoneNumbers.service, phone);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("nobody has answered the call")), answerBoundMs);
  try {
    return await Promise.race([phone.line, late.promise]);
  } catch (error) {
    call.hangUp("phone");
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The wire's messages as sound, and what is heard as the wire's messages. */
class SoakPhone implements Handset {
  readonly #wire: Wire;
  readonly #onMessage: (start: string) => void;
  readonly #answered = Promise.withResolvers<RawLine>();

  constructor(wire: Wire, onMessage: (start: string) => void) {
    this.#wire = wire;
    this.#onMessage = onMessage;
  }

  get line(): Promise<RawLine> {
    return this.#answered.promise;
  }

  async ring(): Promise<RingOutcome> {
    return "answered";
  }

  talk(line: Line): Ear {
    const { quiet, question, interruption, nothing } = this.#wire;
    const sounds = new Map([
      [quiet, noise(rateHz)],
      [question, spokenSamples(marks.question, markSign, rateHz)],
      [interruption, spokenSamples(marks.interruption, markSign, rateHz)],
      [nothing, spokenSamples(marks.nothing, markSign, rateHz)],
    ]);
    let endedBecause: string | undefined;
    this.#answered.resolve({
      get endedBecause() {
        return endedBecause;
      },
      send(frame) {
        // A phone cannot say that somebody has finished: that message has no sound.
        const samples = sounds.get(frame);
        if (endedBecause === undefined && samples !== undefined) line.speak(samples);
      },
      close() {
        if (endedBecause === undefined) line.hangUp();
      },
    });
    return {
      onAudio: () => this.#onMessage('{"Kind":"AudioData"'),
      onStopAudio: () => this.#onMessage('{"Kind":"StopAudio"'),
      onKeys: () => undefined,
      onEnded(why) {
        endedBecause = why;
      },
    };
  }
}
