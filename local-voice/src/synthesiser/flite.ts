/** One piece of text through Flite: 16 kHz speech (8 kHz for `kal`) without the pauses around it, and its phones. */
import { decodeWav } from "@voice/provider-kit/audio/wav";
import type { SpokenPiece } from "./speak-piece.ts";
import type { FliteSettings } from "./voices.ts";
import { parsePhones, speechSpans } from "./word-timings.ts";
import type { WasiProgram } from "./wasi-program.ts";

/**
 * Flite adds 0.2 s of silence at both ends. At the beginning it would delay every answer. At the end, a clause needs a
 * short gap before the next, but 0.2 s between clauses of one sentence sounds hesitant.
 */
const leadMs = 20;
const tailMs = 120;

export function speakWithFlite(flite: WasiProgram, text: string, settings: FliteSettings): SpokenPiece {
  const stretch = `duration_stretch=${settings.durationStretch.toFixed(3)}`;
  const pitch = `f0_shift=${settings.pitchShift.toFixed(3)}`;
  const options = ["-voice", settings.voice, "--setf", stretch, "--setf", pitch, "-psdur"];
  const { exitCode, stdout, file } = flite.run(["flite", ...options, "-t", text, "-o", "/speech.wav"]);
  if (exitCode !== 0) throw new Error(`flite exited with ${exitCode}`);
  const { samples, sampleRateHz } = decodeWav(file);
  const phones = parsePhones(stdout);

  const spans = speechSpans(phones);
  const totalMs = (samples.length / sampleRateHz) * 1_000;
  const fromMs = Math.max(0, (spans[0]?.startMs ?? totalMs) - leadMs);
  const toMs = Math.min(totalMs, (spans.at(-1)?.endMs ?? 0) + tailMs);
  const at = (ms: number): number => Math.round((ms * sampleRateHz) / 1_000);
  return {
    samples: samples.slice(at(fromMs), at(toMs)),
    sampleRateHz,
    phones: phones.map(({ name, endMs }) => ({ name, endMs: endMs - fromMs })),
  };
}
