/** The interface between a session and its recorder. It is called on the audio path, so nothing waits or fails. */

export interface CallerSaid {
  readonly text: string;
  readonly turnId: string;
  /** On the session's clock; both times are equal for typed text. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** PERSON-5: they are the words of a person in the agent's place. */
  readonly isPersons?: true;
}

/** A part of a reply, as far as it was heard. */
export interface AgentWords {
  readonly text: string;
  readonly agent: string;
  /** The last sample of the reply's audio that belongs to it. */
  readonly endSample: number;
}

/** A reply that has ended, and the parts of it that were heard, in order; there may be none. */
export interface AgentSaid {
  readonly turnId: string;
  readonly words: readonly AgentWords[];
  readonly interrupted: boolean;
}

export interface SessionRecorder {
  /** The announcement was not spoken in full, so nothing may be recorded. */
  abandon(): void;
  callerAudio(samples: Int16Array): void;
  /** `playsAtMs`: when the peer plays it, on the session's clock. */
  agentAudio(frame: Int16Array, playsAtMs: number): void;
  /** The peer drops its buffered audio. */
  agentStopped(): void;
  callerSaid(words: CallerSaid): void;
  agentSaid(reply: AgentSaid): void;
}

export const noRecorder: SessionRecorder = {
  abandon: () => undefined,
  callerAudio: () => undefined,
  agentAudio: () => undefined,
  agentStopped: () => undefined,
  callerSaid: () => undefined,
  agentSaid: () => undefined,
};
