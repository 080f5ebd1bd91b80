/**
 * Limits how fast a peer's words and keys are heard, on every channel (FR-7). What is beyond the limit is refused and never
 * reaches the session; spoken audio has its own limit (`hear-in-pieces.ts`).
 */
import {
  createRateLimit,
  keyRate,
  leastTextCharacters,
  maxTextCharacters,
  textRate,
  wordRate,
} from "../../../transports/message-limits.ts";
import type { TransportEvents } from "../../../transports/transport.ts";

export interface InputLimits {
  readonly now: () => number;
  /** Tells the peer what was not heard, and what to change. */
  readonly refuse: (problem: string) => void;
}

const tooManyTexts = `Too many texts: at most ${textRate.perSecond} a second are heard. Send them more slowly.`;
const tooManyWords = `Too much text: at most ${wordRate.burst} characters at once are heard, and ${wordRate.perSecond} a second in the long run, where a text counts as at least ${leastTextCharacters}. Send less, or wait.`;
const tooManyKeys = `Too many keys: at most ${keyRate.burst} at once are heard, and ${keyRate.perSecond} a second in the long run. Send them more slowly.`;
const tooLongTranscript = `The transcript is too long: at most ${maxTextCharacters} characters.`;

export function limitInput(events: TransportEvents, { now, refuse }: InputLimits): TransportEvents {
  const mayType = createRateLimit(now, textRate);
  const maySay = createRateLimit(now, wordRate);
  const mayPress = createRateLimit(now, keyRate);
  return {
    ...events,
    onText(text) {
      if (!mayType()) refuse(tooManyTexts);
      else if (!maySay(Math.max(text.length, leastTextCharacters))) refuse(tooManyWords);
      else events.onText(text);
    },
    onDigits(digits) {
      if (mayPress(digits.length)) events.onDigits(digits);
      else refuse(tooManyKeys);
    },
    onTranscript(transcript) {
      // Partial transcripts repeat the sentence so far and are not stored, so only their length is limited.
      const { text, isFinal } = transcript;
      if (text.length > maxTextCharacters) refuse(tooLongTranscript);
      else if (isFinal && !maySay(text.length)) refuse(tooManyWords);
      else events.onTranscript(transcript);
    },
  };
}
