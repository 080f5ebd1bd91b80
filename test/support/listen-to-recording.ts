/** Recognises the speech on a recording with the test's own recogniser, at the times that the transcript states. */
import { sessionTranscript } from "@voice/shared/contracts/http/recordings";
import type { RecordedWords, SessionTranscript } from "@voice/shared/contracts/http/recordings";
import { pickChannel } from "@voice/provider-kit/audio/channels";
import { rmsLevel } from "@voice/provider-kit/audio/levels";
import { decodeWav } from "@voice/provider-kit/audio/wav";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import { expect } from "vitest";
import { createJudge, wordErrorRate } from "./judge.ts";
import type { Judge } from "./judge.ts";

export const recordingNotice = "This call is recorded.";
const rateHz = 16_000;
export const callerLines = ["what can you do", "i lost my card"];
export const offer = "I can check the balance of your checking or savings account, or connect you to our card team.";
const agentLines = [
  recordingNotice,
  "Hello, this is Harbor Bank.",
  "I can check a balance, or connect you to our card team.",
  "How can I help you today?",
  offer,
  "I am connecting you to our card team.",
  "This is the card team.",
  "Is it your credit card or your debit card?",
];
/** A quieter signal does not count as speech; the synthetic voices are far louder. */
export const silentLevel = 0.002;

/** Each knows the words of one side only, so that neither can take the other's for its own. */
export interface RecordingJudges {
  readonly agent: Judge;
  readonly caller: Judge;
}

export function createRecordingJudges(recognise?: () => Promise<Recogniser>): RecordingJudges {
  return { agent: createJudge(agentLines, recognise), caller: createJudge(callerLines, recognise) };
}

export interface Listened {
  readonly transcript: SessionTranscript;
  readonly caller: Int16Array;
  readonly agent: Int16Array;
}

export async function listen(get: (path: string) => Promise<Response>, sessionId: string): Promise<Listened> {
  const wav = decodeWav(new Uint8Array(await (await get(`/sessions/${sessionId}/recording`)).arrayBuffer()));
  expect(wav).toMatchObject({ channels: 2, sampleRateHz: rateHz });
  return {
    transcript: sessionTranscript.parse(await (await get(`/sessions/${sessionId}/recording/transcript`)).json()),
    caller: pickChannel(wav.samples, 2, 0),
    agent: pickChannel(wav.samples, 2, 1),
  };
}

export function slice(side: Int16Array, fromMs: number, untilMs: number): Int16Array {
  return side.subarray(Math.max(0, (fromMs * rateHz) / 1000), (untilMs * rateHz) / 1000);
}

/** All that one side said in a row: a single "Sure." is too short to be told from noise. */
export function contributions(entries: readonly RecordedWords[]): RecordedWords[] {
  const joined: RecordedWords[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if (last?.turn_id !== entry.turn_id || last.speaker !== entry.speaker) joined.push({ ...entry });
    else Object.assign(last, { ...entry, text: `${last.text} ${entry.text}`, start_ms: last.start_ms });
  }
  return joined;
}

/** The words are there, at that time, on that side; and, unless somebody spoke over them, nothing on the other. */
export async function expectHeard(judges: RecordingJudges, listened: Listened, words: RecordedWords): Promise<void> {
  const { caller, agent, transcript } = listened;
  const { speaker, text, start_ms: startMs, end_ms: endMs } = words;
  const [own, judge, other] = speaker === "agent" ? [agent, judges.agent, caller] : [caller, judges.caller, agent];
  // A recogniser may be a little late at both ends.
  const slackMs = speaker === "agent" ? 40 : 250;
  const heard = await judge.transcribe(slice(own, startMs - slackMs, endMs + slackMs));
  expect(wordErrorRate(text, heard), `"${text}" at ${startMs} ms was heard as "${heard}"`).toBeLessThanOrEqual(0.34);
  const isSpokenOver = transcript.entries.some(
    (entry) => entry.speaker !== speaker && entry.start_ms < endMs + slackMs && entry.end_ms > startMs - slackMs,
  );
  if (!isSpokenOver) expect(rmsLevel(slice(other, startMs, endMs))).toBeLessThan(silentLevel);
}
