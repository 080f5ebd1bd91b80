/**
 * What callers hear when they all call at the same instant: `node test/bench/bursts.ts [calls]` (20, 40 and 80 where no number is
 * given). The whole service with local speech and the emulated communication service, in one process, so that the callers
 * take CPU time from it, too. That many phone calls, and that many browsers, each on a service that has just started and
 * from dialling until the first audible sample of the greeting.
 */
import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "@voice/shared/platform/clock";
import { samplesFromBytes } from "@voice/provider-kit/audio/pcm16";
import { WebSocket } from "ws";
import { readToolArguments } from "../../local/command-line/tool-arguments.ts";
import type { Ear, Handset, Line, RingOutcome } from "../../local/phone/handset.ts";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { PacedMicrophone } from "../../local/person/paced-microphone.ts";
import { startPhoneRig } from "../support/phone-rig.ts";
import type { PhoneRig } from "../support/phone-rig.ts";
import { summary } from "./percentiles.ts";

const defaultSizes = [20, 40, 80];
const shares = [0.5, 0.95, 1];
/** No caller listens to silence for longer. */
const patienceMs = 30_000;
/** Quieter is the noise of an empty line. */
const audibleLevel = 200;

interface Outcome {
  /** `dropped`: admitted, but disconnected without having heard a word. */
  readonly kind: "heard" | "busy" | "dropped" | "silent";
  readonly afterMs: number;
}

function isAudible(samples: Int16Array): boolean {
  return samples.some((sample) => Math.abs(sample) > audibleLevel);
}

/** Somebody who listens until the first word. */
class ListeningPhone implements Handset {
  readonly outcome: Promise<Outcome>;
  readonly #startedMs = performance.now();
  readonly #outcome = Promise.withResolvers<Outcome>();
  #line: Line | undefined;
  #microphone: PacedMicrophone | undefined;

  constructor() {
    this.outcome = this.#outcome.promise;
  }

  async ring(): Promise<RingOutcome> {
    return "answered";
  }

  talk(line: Line): Ear {
    this.#line = line;
    const { sampleRateHz } = line;
    const onFrame = (frame: Int16Array): void => line.speak(frame);
    this.#microphone = new PacedMicrophone({ clock: systemClock, sampleRateHz, onFrame });
    this.#microphone.start();
    return {
      onAudio: (samples) => (isAudible(samples) ? this.end("heard") : undefined),
      onStopAudio: () => undefined,
      onKeys: () => undefined,
      onEnded: () => this.end("dropped"),
    };
  }

  end(kind: Outcome["kind"]): void {
    this.#outcome.resolve({ kind, afterMs: performance.now() - this.#startedMs });
  }

  /** Every caller stays until all have heard something, because real calls overlap in this way. */
  leave(): void {
    this.#microphone?.stop();
    this.#line?.hangUp();
  }
}

async function phoneCalls(rig: PhoneRig, count: number): Promise<Outcome[]> {
  const phones = Array.from({ length: count }, () => {
    const phone = new ListeningPhone();
    rig.network.emulator.dial(phoneNumbers.person, phoneNumbers.service, phone).then(
      ({ ended }) => ended.then(() => phone.end("busy")),
      () => phone.end("busy"),
    );
    return phone;
  });
  const outcomes = await inTime(phones.map(({ outcome }) => outcome));
  for (const phone of phones) phone.leave();
  return outcomes;
}

async function browsers(rig: PhoneRig, count: number): Promise<Outcome[]> {
  const sockets = Array.from(
    { length: count },
    () => new WebSocket(`ws://127.0.0.1:${rig.service.port}/api/v1/browser/conversation`),
  );
  const outcomes = await inTime(sockets.map(outcomeOf));
  for (const socket of sockets) socket.close();
  return outcomes;
}

function outcomeOf(socket: WebSocket): Promise<Outcome> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const end = (kind: Outcome["kind"]): void => resolve({ kind, afterMs: performance.now() - startedMs });
    socket.on("open", () => socket.send(JSON.stringify({ type: "config", audio_output: "binary" })));
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary && isAudible(samplesFromBytes(data))) end("heard");
    });
    socket.on("unexpected-response", () => end("busy"));
    socket.on("error", () => end("dropped"));
    socket.on("close", () => end("dropped"));
  });
}

function inTime(outcomes: readonly Promise<Outcome>[]): Promise<Outcome[]> {
  const patience = new AbortController();
  const silent = sleep(patienceMs, undefined, { signal: patience.signal }).then((): Outcome => ({
    kind: "silent",
    afterMs: patienceMs,
  }));
  silent.catch(() => undefined);
  return Promise.all(outcomes.map((outcome) => Promise.race([outcome, silent]))).finally(() => patience.abort());
}

function report(who: string, count: number, outcomes: readonly Outcome[]): void {
  const of = (kind: Outcome["kind"]): number => outcomes.filter((outcome) => outcome.kind === kind).length;
  const heardMs = outcomes.filter(({ kind }) => kind === "heard").map(({ afterMs }) => afterMs);
  const counts = `heard ${of("heard")}  busy ${of("busy")}  dropped ${of("dropped")}  silent ${of("silent")}`;
  console.log(`${`${count}`.padStart(4)} ${who.padEnd(8)} ${counts}   ${summary(heardMs, shares)}`);
}

const callers = { phones: phoneCalls, browsers };

async function measure(who: keyof typeof callers, count: number): Promise<void> {
  const rig = await startPhoneRig({ clock: systemClock });
  try {
    report(who, count, await callers[who](rig, count));
  } finally {
    await rig.close();
  }
}

readToolArguments({
  name: "node test/bench/bursts.ts",
  help: `What callers hear when they all call at the same instant.

  node test/bench/bursts.ts [calls]    how many (${defaultSizes.join(", ")})`,
  allowPositionals: true,
});
const [, file = "", size, who] = process.argv;
if (who === "phones" || who === "browsers") await measure(who, Number(size));
else
  for (const count of size === undefined ? defaultSizes : [Number(size)])
    for (const kind of Object.keys(callers))
      spawnSync(process.execPath, [file, `${count}`, kind], { stdio: "inherit" });
