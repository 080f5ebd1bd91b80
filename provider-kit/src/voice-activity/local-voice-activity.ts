/** WebRTC's voice activity detector (one WebAssembly module, one handle per session) and an energy gate; 4 µs per frame. */
import createFvad, { type FvadModule } from "@echogarden/fvad-wasm";
import { VoiceError } from "@voice/shared/platform/errors";
import { AudioHoles } from "@voice/provider-kit/audio/audio-hole";
import { bytesPerSample } from "@voice/provider-kit/audio/pcm16";
import { TouchTones } from "@voice/provider-kit/audio/touch-tone";
import { createResampler, type Resampler } from "@voice/provider-kit/audio/resample";
import { vadFrameMs } from "@voice/provider-kit/ports/voice-activity";
import type {
  CreateVoiceActivityDetector,
  VadSensitivity,
  VoiceActivityDetector,
} from "@voice/provider-kit/ports/voice-activity";
import { ConfirmedDetector } from "./confirmed-detector.ts";
import { EnergyGate } from "./energy-gate.ts";
import type { EnergyGateOptions } from "./energy-gate.ts";
import { LevelAboveHum } from "./level-above-hum.ts";
import type { JudgeSpeech } from "./speech-model.ts";
import { VoiceInFront } from "./voice-in-front.ts";

/**
 * Mode 3, the strictest, is the only one that finds every onset at 10 dB of noise without taking the noise for speech (2 to 6 % of noise
 * frames pass, against 12 to 47 % in mode 2). `high` uses mode 2 for callers far from the microphone.
 */
const settings: Readonly<Record<VadSensitivity, { readonly mode: number; readonly gate: EnergyGateOptions }>> = {
  low: { mode: 3, gate: { marginDb: 12, minimumDb: -42 } },
  medium: { mode: 3, gate: { marginDb: 8, minimumDb: -50 } },
  high: { mode: 2, gate: { marginDb: 5, minimumDb: -58 } },
};

/**
 * A frame below the gate's minimum is not speech, whatever libfvad returns for it: libfvad only learns the noise from it, and takes half of
 * a frame's time for that. After 200 ms of such frames, twice as long as libfvad continues to report speech after its end, every fourth
 * frame is enough.
 */
const settledFrames = 10;
const faintEach = 4;

/** `judgeSpeech` confirms what the detector takes for speech; without it the detector decides alone. */
export async function loadVoiceActivity(judgeSpeech?: JudgeSpeech): Promise<CreateVoiceActivityDetector> {
  const fvad = await createFvad().catch((error: unknown) => {
    throw new VoiceError("dependency_not_ready", "the voice activity detector cannot be loaded", { cause: error });
  });
  return (options) => {
    const detector = new LocalDetector(fvad, options.sampleRateHz, options.sensitivity);
    return judgeSpeech === undefined ? detector : new ConfirmedDetector(detector, judgeSpeech, options);
  };
}

class LocalDetector implements VoiceActivityDetector {
  readonly #fvad: FvadModule;
  readonly #resampler: Resampler;
  readonly #frameSamples: number;
  readonly #level: LevelAboveHum;
  readonly #energy: EnergyGate;
  readonly #inFront = new VoiceInFront();
  readonly #holes = new AudioHoles();
  readonly #touchTones: TouchTones;
  readonly #handle: number;
  readonly #samplesAt: number;
  #faintFrames = 0;
  #isOpen = true;

  constructor(fvad: FvadModule, sampleRateHz: number, sensitivity: VadSensitivity) {
    const { mode, gate } = settings[sensitivity];
    // libfvad works at 8 kHz in any case and accepts 8, 16, 32 and 48 kHz; 24 kHz is converted to 16 here.
    const detectorRateHz = sampleRateHz === 24_000 ? 16_000 : sampleRateHz;
    this.#fvad = fvad;
    this.#resampler = createResampler(sampleRateHz, detectorRateHz);
    this.#frameSamples = (detectorRateHz * vadFrameMs) / 1_000;
    this.#level = new LevelAboveHum(detectorRateHz);
    this.#energy = new EnergyGate(gate);
    this.#touchTones = new TouchTones(detectorRateHz);
    this.#handle = fvad._fvad_new();
    this.#samplesAt = fvad._malloc(this.#frameSamples * bytesPerSample);
    if (this.#handle === 0 || this.#samplesAt === 0)
      throw new VoiceError("dependency_not_ready", "no memory for a detector");
    if (fvad._fvad_set_mode(this.#handle, mode) !== 0 || fvad._fvad_set_sample_rate(this.#handle, detectorRateHz) !== 0)
      throw new VoiceError("audio_format_unsupported", "the detector refuses its settings");
  }

  isSpeech(frame: Int16Array): boolean {
    if (!this.#isOpen) return false;
    const heard = this.#resampler.process(frame);
    if (heard.length !== this.#frameSamples) throw new RangeError(`a frame is ${vadFrameMs} ms long`);
    const level = this.#level.next(heard);
    const isSpeech = this.#isSpeech(heard, this.#energy.isLoud(level, this.#holes.next(heard)));
    return this.#inFront.isHeard(level, isSpeech);
  }

  close(): void {
    if (!this.#isOpen) return; // its memory may already belong to the next session
    this.#isOpen = false;
    this.#fvad._fvad_free(this.#handle);
    this.#fvad._free(this.#samplesAt);
  }

  #isSpeech(heard: Int16Array, isLoud: boolean): boolean {
    this.#faintFrames = this.#energy.isFaint ? this.#faintFrames + 1 : 0;
    if (this.#faintFrames > settledFrames && this.#faintFrames % faintEach !== 0) return false;
    // Both detectors receive every other frame, because each tracks the noise in its own way.
    this.#fvad.HEAP16.set(heard, this.#samplesAt / bytesPerSample);
    const soundsLikeSpeech = this.#fvad._fvad_process(this.#handle, this.#samplesAt, this.#frameSamples) === 1;
    return soundsLikeSpeech && isLoud && !this.#touchTones.isTone(heard);
  }
}
