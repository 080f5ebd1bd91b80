/** Worker thread entry. Flite blocks for 30 to 90 ms per clause; in a thread of its own it delays nobody's audio. */
import { parentPort, workerData } from "node:worker_threads";
import { setImmediate as nextTask } from "node:timers/promises";
import { collectStartGarbage } from "@voice/shared/platform/collect-start-garbage";
import { resampleAll } from "@voice/provider-kit/audio/resample";
import { workerReady } from "@voice/provider-kit/worker-threads/supervised-worker";
import { loadVoiceModel } from "../voice-model/load-voice-model.ts";
import type { SpeakPiece, SpokenPiece } from "./speak-piece.ts";
import { splitForSpeech, toAscii } from "./speakable-text.ts";
import type { FromSynthesisWorker, SynthesisWorkerData, ToSynthesisWorker } from "./synthesis-protocol.ts";
import { WasiProgram } from "./wasi-program.ts";
import { fliteSettings } from "./voices.ts";
import { wordTimings, parsePhones, speechSpans } from "./word-timings.ts";
import { decodeWav } from "@voice/provider-kit/audio/wav";
import type { FliteSettings } from "./voices.ts";

const port = parentPort;
if (port === null) throw new Error("synthesis-worker runs in a worker thread");
const { voice: ownVoice }: SynthesisWorkerData = workerData;
/** Flite reads English letters; a model reads what it was trained on. */
const toSpeakable = "model" in ownVoice ? (text: string): string => text : toAscii;
const speakPiece =
  "model" in ownVoice ? await loadVoiceModel(ownVoice.model) : withFlite(new WasiProgram(ownVoice.flite));

const tell = (message: FromSynthesisWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

let running: number | undefined;

port.on("message", (message: ToSynthesisWorker) => {
  if (message.type === "cancel") {
    if (running === message.job) running = undefined;
    return;
  }
  void speak(message);
});
port.postMessage(workerReady);
collectStartGarbage();

function withFlite(flite: WasiProgram): SpeakPiece {
  return (text, voice) => speakWithFlite(flite, text, fliteSettings(voice));
}

async function speak(request: Extract<ToSynthesisWorker, { type: "speak" }>): Promise<void> {
  const { job, voice, sampleRateHz } = request;
  running = job;
  try {
    let startMs = 0;
    for (const piece of splitForSpeech(request.text, toSpeakable)) {
      const spoken = speakPiece(toSpeakable(piece.text), voice);
      const samples = resampleAll(spoken.samples, spoken.sampleRateHz, sampleRateHz);
      const words = wordTimings(piece.text, spoken.phones).map((word) => ({
        textOffset: word.textOffset + piece.offset,
        textLength: word.textLength,
        startMs: word.startMs + startMs,
        endMs: word.endMs + startMs,
      }));
      startMs += (samples.length / sampleRateHz) * 1_000;
      await nextTask(); // lets a cancellation be processed between the pieces of a long text
      if (running !== job) break;
      const { buffer } = samples;
      tell({ type: "piece", job, samples, words }, buffer instanceof ArrayBuffer ? [buffer] : []);
    }
    tell({ type: "done", job });
  } catch (error) {
    tell({ type: "failed", job, reason: error instanceof Error ? error.message : "unknown" });
  }
}

/**
 * Flite adds 0.2 s of silence at both ends. At the beginning it would delay every answer. At the end, a clause needs a
 * short gap before the next, but 0.2 s between clauses of one sentence sounds hesitant.
 */
const leadMs = 20;
const tailMs = 120;

/** 16 kHz speech (8 kHz for `kal`) without the pauses around it, and its phones. */
function speakWithFlite(flite: WasiProgram, text: string, settings: FliteSettings): SpokenPiece {
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
