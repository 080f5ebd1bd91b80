/**
 * A message may bring sixteen seconds of audio at once, and processing one second takes as long as a quarter of a frame
 * lasts. Longer audio is therefore processed a second at a time, with everybody else's frames sent in between; the
 * peer's later messages wait in a queue. A peer that keeps sending far ahead of real time is closed.
 */
import type { TransportEvents } from "../../../transports/transport.ts";

const pieceSeconds = 1;
/** Four of the longest messages. */
export const mostWaitingSeconds = 64;

export function hearInPieces(
  events: TransportEvents,
  { sampleRateHz, onTooMuch }: { readonly sampleRateHz: number; readonly onTooMuch: () => void },
): TransportEvents {
  const pieceSamples = sampleRateHz * pieceSeconds;
  const waiting: (() => void)[] = [];
  let waitingSamples = 0;
  let isClosed = false;

  function heardNext(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(heardNext);
  }

  function inOrder(step: () => void): void {
    if (isClosed) return;
    if (waiting.length === 0) step();
    else waiting.push(step);
  }

  function hear(samples: Int16Array): void {
    if (isClosed) return;
    if (waiting.length === 0 && samples.length <= pieceSamples) {
      events.onAudio(samples);
      return;
    }
    waitingSamples += samples.length;
    if (waitingSamples > sampleRateHz * mostWaitingSeconds) {
      onTooMuch();
      return;
    }
    if (waiting.length === 0) setImmediate(heardNext);
    for (let at = 0; at < samples.length; at += pieceSamples) {
      const piece = samples.subarray(at, at + pieceSamples);
      waiting.push(() => {
        waitingSamples -= piece.length;
        events.onAudio(piece);
      });
    }
  }

  return {
    onAudio: hear,
    onText: (text) => inOrder(() => events.onText(text)),
    onDigits: (digits) => inOrder(() => events.onDigits(digits)),
    onControl: (action) => inOrder(() => events.onControl(action)),
    onConfig: (config) => inOrder(() => events.onConfig(config)),
    onCallerFinished: () => inOrder(() => events.onCallerFinished()),
    onTranscript: (transcript) => inOrder(() => events.onTranscript(transcript)),
    onLanguage: (language) => inOrder(() => events.onLanguage(language)),
    onClosed(reason) {
      isClosed = true;
      waiting.length = 0;
      events.onClosed(reason);
    },
  };
}
