/** What the words of the caller say about whether they were meant to interrupt (BARGE-3, BARGE-4) and to be answered. */

/** Said while thinking of words; nobody answers it. */
const hesitations = new Set("um|uh|er|erm|hmm|um um|uh um".split("|"));

const backchannels = new Set(
  (
    "uh-huh|uh huh|uhhuh|mm-hmm|mm hmm|mhm|hmm|mm|mmm|um|uh|ah|oh|okay|ok|yeah|yep|yes|right|sure|i see|got it|alright|all right|good|great|cool|" +
    "oh okay|oh ok|okay okay|yeah yeah|uh-huh uh-huh|right right"
  ).split("|"),
);

const commands = new Set(
  "stop|wait|hold on|hang on|hold it|no|no no|pause|quiet|be quiet|excuse me|sorry|one moment|one second|just a moment|just a second|stop it|stop please|please stop".split(
    "|",
  ),
);

/**
 * What anybody says to anybody. A recogniser that knows only an agent's sentences would hear one of them in an "uh-huh",
 * and the agent would be interrupted by it.
 */
export const everydayWords: readonly string[] = [
  "uh huh",
  "mm hmm",
  "okay",
  "yeah",
  "i see",
  "got it",
  "all right",
  "right",
  "sure",
  "great",
  "oh okay",
  "stop",
  "wait",
  "hold on",
  "excuse me",
  "one moment",
];

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}'\s-]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The same text as a key: two texts with one key deserve the same answer. */
export function toAnswerKey(text: string): string {
  return normalise(text);
}

export function isHesitation(text: string): boolean {
  return hesitations.has(normalise(text));
}

/** Words that are an answer by themselves, to whatever was asked. */
const answersAlone = new Set(
  "yes|no|yeah|yep|nope|sure|okay|correct|right|no thank you|yes please|no thanks".split("|"),
);

export function isAnswerAlone(text: string): boolean {
  return answersAlone.has(normalise(text));
}

export type InterruptionKind = "none" | "backchannel" | "words";

export function interruptionKind(text: string): InterruptionKind {
  const words = normalise(text);
  if (words === "") return "none";
  if (commands.has(words)) return "words";
  return backchannels.has(words) ? "backchannel" : "words";
}
