/** One caller, one situation: what happened, in milliseconds and words. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { connectCaller } from "../../local/caller/caller.ts";
import type { Caller } from "../../local/caller/caller.ts";
import { lastAudibleSample } from "../../local/person/audible.ts";
import { speakText } from "../../local/person/line-audio.ts";
import { withPause } from "./paused-speech.ts";

const rateHz = 16_000;
/** Detectors and codecs are quiet on true zeros only; a microphone is never that quiet. */
const audible = 300;

export interface Trials {
  /** Said in one breath; how long the caller waited for the answer, and whether it was the right one. */
  sentence(voice: string, text: string): Promise<{ readonly waitedMs: number; readonly isRight: boolean }>;
  /** The same for an answer to the agent's question. */
  answer(voice: string, lead: string, text: string): Promise<{ readonly waitedMs: number; readonly isRight: boolean }>;
  /** Said with a pause in the middle. */
  halves(
    voice: string,
    halves: readonly [string, string],
    pauseMs: number,
  ): Promise<{ readonly spokeInto: boolean; readonly isRight: boolean; readonly waitedMs: number }>;
  /** Over the greeting. `silentMs`: from the murmur's end to the agent's next sound. */
  murmur(voice: string, text: string): Promise<{ readonly silentMs: number; readonly survived: boolean }>;
  interruption(voice: string, text: string): Promise<{ readonly silentAfterMs: number }>;
}

export function createTrials(options: {
  readonly clock: Clock;
  readonly synthesiser: Synthesiser;
  /** Agents that greet, and agents that wait for the caller. */
  readonly greeting: URL;
  readonly silent: URL;
}): Trials {
  const { clock, synthesiser } = options;
  const call = (url: URL): Promise<Caller> => connectCaller({ clock, url });
  const speak = (voice: string, text: string): Promise<Int16Array> =>
    speakText(synthesiser, { text, voice, sampleRateHz: rateHz });

  /** The service's answer to the same words when they are typed. */
  const deserved = new Map<string, Promise<string>>();
  const deserves = (...lines: readonly string[]): Promise<string> => {
    const key = lines.join("|");
    const known = deserved.get(key) ?? typeLines(lines);
    deserved.set(key, known);
    return known;
  };
  async function typeLines(lines: readonly string[]): Promise<string> {
    using caller = await call(options.silent);
    let said = "";
    for (const line of lines) {
      caller.type(line);
      said = essence(await firstWords(caller));
    }
    return said;
  }

  async function say(caller: Caller, samples: Int16Array, expected: string) {
    const { startedMs, stoppedMs } = await caller.speak(samples);
    const said = await firstWords(caller).catch(() => "");
    const sounds = caller.records.flatMap((record) => (record.kind === "audio" ? [record.atMs] : []));
    return {
      spokeInto: sounds.some((atMs) => atMs > startedMs && atMs < stoppedMs),
      waitedMs: (sounds.find((atMs) => atMs >= stoppedMs) ?? Number.NaN) - stoppedMs,
      isRight: essence(said) === expected,
    };
  }

  return {
    async sentence(voice, text) {
      const expected = await deserves(text);
      using caller = await call(options.silent);
      await caller.pause(500);
      return await say(caller, await speak(voice, text), expected);
    },
    async answer(voice, lead, text) {
      const expected = await deserves(lead, text);
      using caller = await call(options.silent);
      caller.type(lead);
      await caller.waitForReply({ quietMs: 700 });
      return await say(caller, await speak(voice, text), expected);
    },
    async halves(voice, [first, second], pauseMs) {
      const expected = await deserves(`${first} ${second}`);
      using caller = await call(options.silent);
      await caller.pause(500);
      return await say(caller, await withPause(synthesiser, { voice, first, second, pauseMs }), expected);
    },
    async murmur(voice, text) {
      using caller = await call(options.greeting);
      await caller.waitForAgentAudio();
      await caller.pause(1500);
      const { startedMs, stoppedMs } = await caller.speak(await speak(voice, text));
      await caller.pause(1500);
      const held = eventAfter(caller, "barge_in", startedMs);
      const resumed = eventAfter(caller, "false_interruption", startedMs);
      if (held === undefined) return { silentMs: 0, survived: true };
      return { silentMs: (resumed ?? Number.NaN) - stoppedMs, survived: resumed !== undefined };
    },
    async interruption(voice, text) {
      using caller = await call(options.greeting);
      await caller.waitForAgentAudio();
      await caller.pause(1500);
      const samples = await speak(voice, text);
      const onsetMs = (samples.findIndex((sample) => Math.abs(sample) > audible) * 1000) / rateHz;
      const { startedMs } = await caller.speak(samples.subarray(0, lastAudibleSample(samples) + 1));
      await caller.pause(500);
      const stoppedMs = eventAfter(caller, "barge_in", startedMs) ?? Number.NaN;
      return { silentAfterMs: stoppedMs - startedMs - onsetMs };
    },
  };
}

function eventAfter(caller: Caller, name: string, sinceMs: number): number | undefined {
  return caller.records.find(
    ({ atMs, ...record }) =>
      atMs > sinceMs &&
      record.kind === "message" &&
      record.message.type === "event" &&
      record.message.payload.name === name,
  )?.atMs;
}

/** What the agent says first: enough to know whether it has understood. */
async function firstWords(caller: Caller): Promise<string> {
  const { says, handoffs, toolCalls } = await caller.waitForReply({ timeoutMs: 12_000, quietMs: 250 });
  return [...handoffs.map(({ to }) => to), ...toolCalls.map(({ name }) => name), ...says.map(({ text }) => text)].join(
    " / ",
  );
}

/** Codes and times differ from call to call. */
function essence(said: string): string {
  return said.replaceAll(/\d+/g, "#");
}
