/** Explains in words why the service ended the caller's turn when it did. */

const reasons: Readonly<Record<string, string>> = {
  whole_sentence: "a whole sentence",
  sentence_may_go_on: "a sentence that may go on",
  beginning_of_sentence: "the beginning of a sentence",
  asked_for: "what was asked for",
  digits_missing: "digits that may not be all",
  short_answer: "a short answer",
  hesitation: "a hesitation",
  closed_text: "it sounds finished",
  open_text: "it sounds unfinished",
  settled: "the recogniser was sure",
  falling_voice: "the voice fell",
  held_voice: "the voice stayed up",
  voice_finished: "the voice sounded finished",
  voice_goes_on: "the voice sounded as if it went on",
  pauses_often: "this caller pauses often",
  noisy_line: "there was noise around the voice",
};

/** Unknown reasons, which a newer service has, by their own names. */
export function reasonOfWaitInWords(reason: string): string {
  return reasons[reason] ?? reason.replaceAll("_", " ");
}

/**
 * `caller` as the page calls them. Undefined if no waiting time of the service ended the turn: it was typed, or the
 * realtime model detected its end.
 */
export function explainWait(
  metrics: Readonly<Record<string, number>>,
  why: readonly string[] = [],
  caller: "you" | "the caller" = "you",
): string | undefined {
  const { wait_ms: waitMs, end_of_turn_probability: probability } = metrics;
  if (waitMs === undefined || probability === undefined) return undefined;
  const found = why.flatMap((reason) => reasons[reason] ?? []);
  const because = found.length === 0 ? "" : `: ${found.join(", ")}`;
  return `Waited ${Math.round(waitMs)} ms, ${Math.round(probability * 100)} % sure that ${caller} had finished${because}.`;
}
