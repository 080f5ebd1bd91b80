/** What a telephone network requires of a phone's user, and what it provides to them during a call. */

export interface RingingCall {
  readonly from: string;
  readonly to: string;
  /** What the network says about a transferred call, by header. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** `unknown`: there is no such phone. */
export type RingOutcome = "answered" | "declined" | "busy" | "unknown";

export interface Line {
  /** The id by which the service knows the call: that of its connection, or that of its session. */
  readonly callId: string;
  readonly sampleRateHz: number;
  /** One 20 ms frame, when it is due. */
  speak(frame: Int16Array): void;
  press(key: string): void;
  hangUp(): void;
}

/** Receives what the other side sends. */
export interface Ear {
  /** The other side's audio; it may come faster than it is to be played. */
  onAudio(samples: Int16Array): void;
  /** Discards audio that has not been played yet. */
  onStopAudio(): void;
  onKeys(keys: string): void;
  onEnded(why: string): void;
}

export interface Handset {
  /** Resolves when the person has decided; a phone that nobody picks up rings until the caller gives up (`signal`). */
  ring(call: RingingCall, signal: AbortSignal): Promise<RingOutcome>;
  talk(line: Line): Ear;
}
