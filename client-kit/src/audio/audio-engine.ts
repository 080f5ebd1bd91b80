/** The page's sound: one audio context for the agent's voice and the microphone. */
import { captureProcessor, playbackProcessor } from "./worklet-messages.ts";
import type { CapturedFrame, PlaybackReport, ToCapture, ToPlayback } from "./worklet-messages.ts";

declare global {
  interface AudioContext {
    /** Not in every browser: https://developer.mozilla.org/docs/Web/API/AudioContext/setSinkId */
    setSinkId?(sinkId: string): Promise<void>;
  }
}

export interface Microphone {
  stop(): void;
}

export class AudioEngine {
  readonly #context: AudioContext;
  readonly #playback: AudioWorkletNode;
  readonly #volume: GainNode;
  readonly #players = new Set<AudioWorkletNode>();

  private constructor(context: AudioContext, onPlaybackLevel: (level: number) => void) {
    this.#context = context;
    this.#playback = createPlayback(context, onPlaybackLevel);
    this.#players.add(this.#playback);
    this.#volume = context.createGain();
    this.#playback.connect(this.#volume).connect(context.destination);
    this.#keepRunning();
  }

  /**
   * Browsers suspend a page's audio when the computer sleeps, or a telephone rings, and some do not resume it by themselves: the page would
   * stay silent, and its microphone would send nothing.
   */
  #keepRunning(): void {
    const context = this.#context;
    let hasStopped = false;
    const start = (): void => {
      // Refused while the telephone is still in use: tried again when the page is looked at.
      if (context.state !== "running" && context.state !== "closed") context.resume().catch(() => undefined);
    };
    context.addEventListener("statechange", () => {
      if (context.state !== "running") hasStopped = true;
      else if (hasStopped) {
        hasStopped = false;
        // Audio that arrived meanwhile is outdated, and would be played before what is said now.
        for (const node of this.#players) clear(node);
      }
      start();
    });
    document.addEventListener("visibilitychange", start);
  }

  /** Call this while handling a click or a key, because browsers mute a context that the user did not start. */
  static async open(
    /** The address of what `worklets.ts` became. */
    workletUrl: string,
    onPlaybackLevel: (level: number) => void,
  ): Promise<AudioEngine> {
    const context = new AudioContext({ latencyHint: "interactive" });
    await context.audioWorklet.addModule(workletUrl);
    if (context.state === "suspended") await context.resume();
    return new AudioEngine(context, onPlaybackLevel);
  }

  /** The array belongs to the worklet afterwards. */
  play(samples: ArrayBuffer, sampleRateHz: number): void {
    playOn(this.#playback, samples, sampleRateHz);
  }

  /** A second player beside the first, for playing both sides at once. */
  addVoice(onLevel: (level: number) => void): { play: AudioEngine["play"]; silence(): void; close(): void } {
    const node = createPlayback(this.#context, onLevel);
    node.connect(this.#volume);
    this.#players.add(node);
    return {
      play: (samples, sampleRateHz) => playOn(node, samples, sampleRateHz),
      silence: () => clear(node),
      close: () => {
        this.#players.delete(node);
        node.disconnect();
      },
    };
  }

  /** 0 to 1, on a perceptual scale, which is not linear. */
  setVolume(volume: number): void {
    this.#volume.gain.value = volume ** 2;
  }

  /** The system's choice if undefined, where that device is gone, and in browsers that cannot choose. */
  async setLoudspeaker(deviceId: string | undefined): Promise<void> {
    const context = this.#context;
    await context.setSinkId?.(deviceId ?? "").catch(() => context.setSinkId?.(""));
  }

  /** Drops the queue; what is playing fades out within 5 ms. */
  silence(): void {
    clear(this.#playback);
  }

  /** Rejects with the browser's error, which `describeMicrophoneProblem` puts into words. */
  async openMicrophone(
    sampleRateHz: number,
    onFrame: (frame: CapturedFrame) => void,
    onLost: () => void,
    deviceId?: string,
  ): Promise<Microphone> {
    const stream = await requestMicrophone(deviceId);
    // Not when the page stops it, only when the device or the permission is gone.
    for (const track of stream.getTracks()) track.addEventListener("ended", onLost, { once: true });
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

/**
 * With echo cancellation, because otherwise the agent would interrupt itself through the loudspeaker. If the chosen
 * device is gone, another one is used.
 */
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

/** Without names until the microphone was allowed; empty if the page may not list devices. */
export function listMicrophones(): Promise<SoundDevice[]> {
  return listDevices("audioinput");
}

/** Likewise; empty where the browser cannot choose one. */
export async function listLoudspeakers(): Promise<SoundDevice[]> {
  return "setSinkId" in AudioContext.prototype ? listDevices("audiooutput") : [];
}

interface SoundDevice {
  readonly id: string;
  readonly label: string;
}

async function listDevices(wanted: MediaDeviceKind): Promise<SoundDevice[]> {
  const devices = await navigator.mediaDevices?.enumerateDevices();
  return (devices ?? [])
    .filter(({ kind, deviceId, label }) => kind === wanted && deviceId !== "" && label !== "")
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
}
