/** What the words of the caller say about whether more is coming (TURN-3, TURN-4) and whether they were meant to interrupt (BARGE-3, BARGE-4). */

const shortAnswers = new Set(
  (
    "yes|no|yeah|yep|yup|nope|nah|sure|okay|ok|correct|right|wrong|stop|wait|hello|hi|goodbye|bye|thanks|thank you|" +
    "yes please|no thanks|no thank you|that's right|that is right|that's correct|that's all|that is all|cancel|help|repeat"
  ).split("|"),
);

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

const unfinishedEndings = new Set(
  "zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|double|triple|and|or|but|because|so|then|the|a|an|my|to|of|for|with|is|from|at|on|in|um|uh|er|hmm|well|like|about|number".split(
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

export type EndpointKind = "short-answer" | "ordinary" | "unfinished";

export function endpointKind(text: string): EndpointKind {
  const words = normalise(text);
  if (shortAnswers.has(words)) return "short-answer";
  const last = words.slice(words.lastIndexOf(" ") + 1);
  if (unfinishedEndings.has(last) || /^\d+$/.test(last) || /^[a-z]$/.test(last)) return "unfinished";
  return "ordinary";
}

export type InterruptionKind = "none" | "backchannel" | "words";

export function interruptionKind(text: string): InterruptionKind {
  const words = normalise(text);
  if (words === "") return "none";
  if (commands.has(words)) return "words";
  return backchannels.has(words) ? "backchannel" : "words";
}
