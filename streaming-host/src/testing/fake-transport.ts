/** A transport that records what it was told, and when. */
import type { Clock } from "@voice/shared/platform/clock";
import type { Channel } from "@voice/shared/state/ports/session-store";
import type { SessionNotice, Transport } from "../transports/transport.ts";

export class FakeTransport implements Transport {
  readonly channel: Channel;
  readonly sampleRateHz: number;
  readonly leadMs = 200;
  readonly notices: (SessionNotice & { readonly atMs: number })[] = [];
  readonly frames: number[] = [];
  /** The loudest sample of each frame. */
  readonly peaks: number[] = [];
  readonly stops: number[] = [];
  closedWith: string | undefined;
  readonly #clock: Clock;

  constructor(clock: Clock, sampleRateHz = 16_000, channel: Channel = "browser") {
    this.#clock = clock;
    this.channel = channel;
    this.sampleRateHz = sampleRateHz;
  }

  setSession(): void {
    this.closedWith = undefined;
  }

  start(): void {
    this.closedWith = undefined;
  }

  sendAudio(frame: Int16Array): void {
    this.frames.push(this.#clock.now());
    this.peaks.push(frame.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0));
  }

  stopAudio(): void {
    this.stops.push(this.#clock.now());
  }

  notify(notice: SessionNotice): void {
    this.notices.push({ ...notice, atMs: this.#clock.now() });
  }

  /** Answers at once, as a peer that can be reached. */
  probe(onAnswered: () => void): void {
    onAnswered();
  }

  close(reason: string): void {
    this.closedWith ??= reason;
  }

  /** Final sentences of the agent, as they were heard; without those of a person in its place. */
  get heard(): { text: string; interrupted: boolean; agent: string }[] {
    return this.notices.flatMap((notice) =>
      notice.type === "response" && notice.payload.is_final && notice.payload.author === undefined
        ? [{ text: notice.payload.text, interrupted: notice.payload.interrupted ?? false, agent: notice.payload.agent }]
        : [],
    );
  }

  events(name: string): SessionNotice[] {
    return this.notices.filter((notice) => notice.type === "event" && notice.payload.name === name);
  }
}
