/** What a session tells its recorder. All of it is called on the audio path: nothing waits, nothing fails. */

export interface CallerSaid {
  readonly text: string;
  readonly turnId: string;
  /** On the session's clock; the same for what was typed. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** A piece of a reply, as far as it was heard. */
export interface AgentWords {
  readonly text: string;
  readonly agent: string;
  /** The last sample of the reply's audio that says it. */
  readonly endSample: number;
}

export interface SessionRecorder {
  /** The announcement could not be spoken to its end: nothing of what follows may be kept. */
  abandon(): void;
  callerAudio(samples: Int16Array): void;
  /** `playsAtMs`: when the peer plays it, on the session's clock. */
  agentAudio(frame: Int16Array, playsAtMs: number): void;
  /** The peer drops what it has not played yet. */
  agentStopped(): void;
  callerSaid(words: CallerSaid): void;
  /** A reply is over: what was heard of it, in order; nothing is also an end. */
  agentSaid(turnId: string, words: readonly AgentWords[], interrupted: boolean): void;
}

export const noRecorder: SessionRecorder = {
  abandon: () => undefined,
  callerAudio: () => undefined,
  agentAudio: () => undefined,
  agentStopped: () => undefined,
  callerSaid: () => undefined,
  agentSaid: () => undefined,
};
