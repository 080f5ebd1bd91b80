/** An answering machine that has taken a call: speaks, beeps, records, hangs up. */
import type { PhoneLine } from "./phone-line.ts";
import type { MachineScript } from "./phone-script.ts";

const picksUpMs = 400;
/** The longest recording of a machine, in which it is silent. */
const recordingMs = 30_000;
/** Machines pause briefly before they beep. */
const beforeBeepMs = 300;
const beepHz = 1000;
const beepMs = 500;

/** A machine neither listens before it speaks nor notices whether anybody is listening. */
export async function runAnsweringMachine(
  line: PhoneLine,
  { greeting, beeps }: MachineScript,
  speakText: (text: string, sampleRateHz: number) => Promise<Int16Array>,
): Promise<void> {
  const samples = await speakText(greeting, line.sampleRateHz);
  await line.pause(picksUpMs);
  line.report({ kind: "said", atMs: line.atMs, text: greeting });
  await line.speak(samples);
  if (beeps) {
    await line.speak(beepTone(line.sampleRateHz));
    line.report({ kind: "beeped", atMs: line.atMs });
  }
  line.expectAnswer();
  await line.hear(recordingMs);
  if (!line.over.aborted) line.hangUp();
}

function beepTone(sampleRateHz: number): Int16Array {
  const silent = (sampleRateHz * beforeBeepMs) / 1000;
  const samples = new Int16Array(silent + (sampleRateHz * beepMs) / 1000);
  for (let index = silent; index < samples.length; index++)
    samples[index] = Math.round(8000 * Math.sin((2 * Math.PI * beepHz * index) / sampleRateHz));
  return samples;
}
