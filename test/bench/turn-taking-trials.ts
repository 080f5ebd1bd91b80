/** One caller, one situation: what happened, in milliseconds and words. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { connectCaller } from "../../local/caller/caller.ts";
import type { Caller } from "../../local/caller/caller.ts";
import { lastAudibleSample } from "../../local/person/audible.ts";
import { speakText } from "../../local/person/line-audio.ts";
import { readReply } from "../../local/person/reply.ts";
import type { CallRecord, TurnMetrics } from "../../local/person/reply.ts";

const rateHz = 16_000;
/** Detectors and codecs are quiet on true zeros only; a microphone is never that quiet. */
const audible = 300;

/** What came of something that the caller said. */
export interface Said {
  /** From the caller's last audible sample to the agent's first. */
  readonly waitedMs: number;
  /** The answer is the one that the same words get when they are typed. */
  readonly isRight: boolean;
  readonly heard: string;
  readonly said: string;
  /** The agent was audible before the caller had finished. */
  readonly spokeInto: boolean;
  /** The service's own account of the turns. */
  readonly turns: readonly TurnMetrics[];
}

export interface Trials {
  /** Said in one breath. */
  sentence(voice: string, text: string): Promise<Said>;
  /** The answer to a question of the agent's, which the lead makes it ask. */
  answer(voice: string, lead: string, text: string): Promise<Said>;
  /** Sounds without words in place of an answer. Right is what asks again and does nothing else. */
  mumble(voice: string, lead: string, text: string): Promise<Said>;
  /** Said with a pause in the middle. */
  halves(voice: string, halves: readonly [string, string], pauseMs: number): Promise<Said>;
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

  async function say(caller: Caller, samples: Int16Array, isRight: (said: string) => boolean): Promise<Said> {
    const { startedMs, stoppedMs } = await caller.speak(samples);
    const said = await firstWords(caller).catch(() => "");
    const sounds = caller.records.flatMap(heardAtMs);
    const call = readReply(caller.records, 0);
    return {
      heard: call.heardText,
      said,
      spokeInto: sounds.some((atMs) => atMs > startedMs && atMs < stoppedMs),
      waitedMs: (sounds.find((atMs) => atMs >= stoppedMs) ?? Number.NaN) - stoppedMs,
      isRight: isRight(essence(said)),
      turns: call.metrics,
    };
  }
  const is = (expected: string) => (said: string) => said === expected;

  async function afterLead(lead: string): Promise<Caller> {
    const caller = await call(options.silent);
    caller.type(lead);
    await caller.waitForReply({ quietMs: 700 });
    return caller;
  }

  return {
    async sentence(voice, text) {
      const expected = await deserves(text);
      using caller = await call(options.silent);
      await caller.pause(500);
      return await say(caller, await speak(voice, text), is(expected));
    },
    async answer(voice, lead, text) {
      const expected = await deserves(lead, text);
      using caller = await afterLead(lead);
      return await say(caller, await speak(voice, text), is(expected));
    },
    async mumble(voice, lead, text) {
      using caller = await afterLead(lead);
      const backwards = (await speak(voice, text)).toReversed();
      const acts = (): number => readReply(caller.records, 0).toolCalls.length;
      const actsBefore = acts();
      return await say(caller, backwards, (said) => said !== "" && acts() === actsBefore);
    },
    async halves(voice, [first, second], pauseMs) {
      const expected = await deserves(`${first} ${second}`);
      using caller = await call(options.silent);
      await caller.pause(500);
      return await say(caller, await withPause(synthesiser, { voice, first, second, pauseMs }), is(expected));
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

/** When the first sound of a frame was there to be heard; nothing for silence. */
function heardAtMs(record: CallRecord): readonly number[] {
  if (record.kind !== "audio" || record.audibleFrom === undefined || record.audibleFrom < 0) return [];
  return [record.atMs + (record.audibleFrom * 1000) / rateHz];
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

/** A sentence with a pause in it, as somebody says it who has not finished: cut out of the whole sentence, not two of them. */
async function withPause(
  synthesiser: Synthesiser,
  options: { readonly voice: string; readonly first: string; readonly second: string; readonly pauseMs: number },
): Promise<Int16Array> {
  const { voice, first, second, pauseMs } = options;
  const chunks: Int16Array[] = [];
  let cutMs = 0;
  await synthesiser.synthesise(
    { text: `${first} ${second}`, voice: { name: voice }, language: "en-US", sampleRateHz: rateHz },
    {
      onAudio: (samples) => chunks.push(samples),
      onWord({ textOffset, textLength, endMs }) {
        if (textOffset + textLength <= first.length) cutMs = endMs;
      },
    },
    AbortSignal.timeout(15_000),
  );
  const whole = Int16Array.from(chunks.flatMap((chunk) => [...chunk]));
  const cut = quietestNear(whole, (cutMs * rateHz) / 1000);
  const before = whole.subarray(0, cut);
  const after = whole.subarray(cut, lastAudibleSample(whole) + 1);
  const silence = Math.round((pauseMs * rateHz) / 1000);
  const paused = new Int16Array(before.length + silence + after.length);
  paused.set(before);
  paused.set(after, before.length + silence);
  return paused;
}

/** Between two words, so that the cut does not click. */
function quietestNear(samples: Int16Array, around: number): number {
  let best = Math.round(around);
  let least = Infinity;
  for (let at = Math.round(around) - 480; at <= around + 480; at += 16) {
    let energy = 0;
    for (let index = at - 80; index < at + 80; index++) energy += (samples[index] ?? 0) ** 2;
    if (energy < least) [best, least] = [at, energy];
  }
  return best;
}
