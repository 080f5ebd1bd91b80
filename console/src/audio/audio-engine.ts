/** The page's sound: one audio context, the agent's voice out of it and the microphone into it. */
import captureUrl from "./capture.worklet.ts?worker&url";
import playbackUrl from "./playback.worklet.ts?worker&url";
import { captureProcessor, playbackProcessor } from "./worklet-messages.ts";
import type { CapturedFrame, PlaybackReport, ToCapture, ToPlayback } from "./worklet-messages.ts";

export interface AudioEngineEvents {
  readonly onPlaybackLevel: (level: number) => void;
}

export interface Microphone {
  stop(): void;
}

export class AudioEngine {
  readonly #context: AudioContext;
  readonly #playback: AudioWorkletNode;
  readonly #volume: GainNode;

  private constructor(context: AudioContext, events: AudioEngineEvents) {
    this.#context = context;
    this.#playback = createPlayback(context, events.onPlaybackLevel);
    this.#volume = context.createGain();
    this.#playback.connect(this.#volume).connect(context.destination);
  }

  /** Call it while handling a click or a key: browsers keep a context silent that was not asked for. */
  static async open(events: AudioEngineEvents): Promise<AudioEngine> {
    const context = new AudioContext({ latencyHint: "interactive" });
    await Promise.all([context.audioWorklet.addModule(captureUrl), context.audioWorklet.addModule(playbackUrl)]);
    if (context.state === "suspended") await context.resume();
    return new AudioEngine(context, events);
  }

  /** The array is the worklet's afterwards. */
  play(samples: ArrayBuffer, sampleRateHz: number): void {
    playOn(this.#playback, samples, sampleRateHz);
  }

  /** Another one, which plays beside the first: for whoever listens to two at once. */
  addVoice(onLevel: (level: number) => void): { play: AudioEngine["play"]; silence(): void; close(): void } {
    const node = createPlayback(this.#context, onLevel);
    node.connect(this.#volume);
    return {
      play: (samples, sampleRateHz) => playOn(node, samples, sampleRateHz),
      silence: () => clear(node),
      close: () => node.disconnect(),
    };
  }

  /** 0 to 1; as the ear has it, which is not linear. */
  setVolume(volume: number): void {
    this.#volume.gain.value = volume ** 2;
  }

  /** Drops what is queued; what is being played fades within 5 ms. */
  silence(): void {
    clear(this.#playback);
  }

  /** Rejects with the browser's error; `describeMicrophoneProblem` puts it into words. */
  async openMicrophone(
    sampleRateHz: number,
    onFrame: (frame: CapturedFrame) => void,
    deviceId?: string,
  ): Promise<Microphone> {
    const stream = await requestMicrophone(deviceId);
    const source = this.#context.createMediaStreamSource(stream);
    const capture = new AudioWorkletNode(this.#context, captureProcessor, {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: "explicit",
    });
    const rate: ToCapture = { kind: "rate", sampleRateHz };
    capture.port.postMessage(rate, []);
    capture.port.addEventListener("message", ({ data }: MessageEvent<CapturedFrame>) => onFrame(data));
    capture.port.start();
    source.connect(capture);
    return {
      stop() {
        source.disconnect();
        capture.port.close();
        for (const track of stream.getTracks()) track.stop();
      },
    };
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

function createPlayback(context: AudioContext, onLevel: (level: number) => void): AudioWorkletNode {
  const node = new AudioWorkletNode(context, playbackProcessor, { numberOfInputs: 0, outputChannelCount: [1] });
  node.port.addEventListener("message", ({ data }: MessageEvent<PlaybackReport>) => onLevel(data.level));
  node.port.start();
  return node;
}

function clear(node: AudioWorkletNode): void {
  const message: ToPlayback = { kind: "clear" };
  node.port.postMessage(message, []);
}

function playOn(node: AudioWorkletNode, samples: ArrayBuffer, sampleRateHz: number): void {
  const message: ToPlayback = { kind: "audio", samples, sampleRateHz };
  node.port.postMessage(message, [samples]);
}

/** Echo cancellation, or the agent would interrupt itself through the loudspeaker. A device that is gone is no reason to be silent. */
function requestMicrophone(deviceId: string | undefined): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: {
      channelCount: 1,
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
      ...(deviceId === undefined ? {} : { deviceId: { ideal: deviceId } }),
    },
  });
}

/** Without their names until the microphone was allowed; and none where the page may not know. */
export async function listMicrophones(): Promise<{ readonly id: string; readonly label: string }[]> {
  const devices = await navigator.mediaDevices?.enumerateDevices();
  return (devices ?? [])
    .filter(({ kind, deviceId, label }) => kind === "audioinput" && deviceId !== "" && label !== "")
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}
