/**
 * The sentences that the service itself says to a caller. Every language has all of them, because each is required by
 * type.
 */

/** At least one, so that there is always something to say. If there are several, the service says them in turn. */
export type Choices = readonly [string, ...string[]];

export interface Sentences {
  /** The caller has been silent for a while (IDLE-1). */
  readonly reprompt: Choices;
  /** An answer has failed (FAIL-1). */
  readonly apology: Choices;
  /** A transfer has failed. */
  readonly regret: Choices;
  readonly "regret-hold": Choices;
  readonly "regret-keys": Choices;
  /** The caller returns from being on hold with music. */
  readonly resumption: Choices;
  /** The caller waits while another person's telephone rings. */
  readonly patience: Choices;
  readonly farewell: Choices;
  /** The call has reached its longest duration. */
  readonly closing: Choices;
  /** Said while the agent takes long to produce its first word (FILL-1). */
  readonly fillers: Choices;
  /** Spoken when the realtime model is lost, before the answer for which the caller is waiting (FAIL-6). */
  readonly opener: string;
  /** The model reached its limit before the end of its answer. */
  readonly cutByLength: string;
  /** The content filter stopped an answer after some of it was said. */
  readonly cutByFilter: string;
  /** The content filter refused the caller's words. */
  readonly refusedByFilter: string;
  /** A tool has succeeded, and the model has twice returned nothing to say about it (MODEL-14). */
  readonly nothingToAdd: string;
  readonly handoffRefused: string;
  /** The caller asks for something that needs a verified identity. */
  readonly notVerified: string;
  /** It is not known whether a tool did what was requested: its service did not respond, or its host was lost meanwhile. */
  readonly outcomeUnknown: string;
  /** A tool has succeeded, and there is no other text about it. */
  readonly done: string;
  /** A tool has succeeded, and the text about it is missing (TOOL-12). Nothing went wrong for the caller. */
  readonly askAgain: string;
  /** A tool without words of its own for a wait, such as one from a tool server, is slow. */
  readonly toolIsSlow: string;
  /** For a question that the documents do not answer. */
  readonly notKnown: string;
  /** All places for conversations are taken (FULL-6). */
  readonly linesTaken: string;
  /** The call's audio cannot be restored (MEDIA-9). */
  readonly lineFault: string;
  /** What the person hears who takes over a caller (EFFECT-11): before and after the agent's own words. */
  readonly introduction: {
    readonly greeting: string;
    /** Followed by the reason, if the agent has given nothing else. */
    readonly caller: string;
    readonly connecting: string;
    /** Asked of somebody who has made no sound. */
    readonly areYouThere: string;
  };
  /** The message left on an answering machine: a template with access to `context`, `memory` and `institution_name`. */
  readonly voicemail: string;
}
