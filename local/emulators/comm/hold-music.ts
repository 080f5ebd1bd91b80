/** What a phone hears on hold: a slow broken chord, frame by frame in real time. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

/** C major: C4, E4, G4, C5. */
const notesHz = [261.6, 329.6, 392, 523.3];
const noteMs = 400;
const frameMs = 20;
const loudness = 4000;

/** Returns a function that stops the music. */
export function playHoldMusic(clock: Clock, sampleRateHz: number, onFrame: (frame: Int16Array) => void): () => void {
  const startMs = clock.now();
  const frameSamples = (sampleRateHz * frameMs) / 1000;
  let frames = 0;
  let cancel: CancelTimer | undefined;

  function schedule(): void {
    cancel = clock.setTimer(Math.max(0, startMs + frames * frameMs - clock.now()), () => {
      const from = frames * frameSamples;
      onFrame(Int16Array.from({ length: frameSamples }, (_none, index) => sampleAt(from + index, sampleRateHz)));
      frames += 1;
      schedule();
    });
  }

  schedule();
  return () => cancel?.();
}

function sampleAt(position: number, sampleRateHz: number): number {
  const atMs = (position * 1000) / sampleRateHz;
  const noteHz = notesHz[Math.floor(atMs / noteMs) % notesHz.length] ?? 0;
  const fading = 1 - (atMs % noteMs) / noteMs;
  return Math.round(loudness * fading * Math.sin((2 * Math.PI * noteHz * position) / sampleRateHz));
}
