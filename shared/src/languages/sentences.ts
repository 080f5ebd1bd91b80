/** What the service itself has to say to a caller. Every language says all of it: the type system asks for each sentence. */

/** At least one, so that there is always something to say. Of several the service says one after the other. */
export type Choices = readonly [string, ...string[]];

export interface Sentences {
  /** The caller has been silent for a while (IDLE-1). */
  readonly reprompt: Choices;
  /** An answer has failed (FAIL-1). */
  readonly apology: Choices;
  /** A transfer came to nothing. */
  readonly regret: Choices;
  readonly "regret-hold": Choices;
  readonly "regret-keys": Choices;
  /** The caller is back from the music. */
  readonly resumption: Choices;
  /** The caller waits while somebody's telephone rings. */
  readonly patience: Choices;
  readonly farewell: Choices;
  /** The call has reached its longest duration. */
  readonly closing: Choices;
  /** Said while the agent takes long to find its first word (FILL-1). */
  readonly fillers: Choices;
  /** Before what another session has left the caller waiting for (FAIL-6). */
  readonly opener: string;
  /** The model reached its limit before the end of its answer. */
  readonly cutByLength: string;
  /** The content filter stopped an answer after some of it was said. */
  readonly cutByFilter: string;
  /** The content filter refused the caller's words. */
  readonly refusedByFilter: string;
  readonly handoffRefused: string;
  /** A host was lost while a tool ran: nobody knows what came of it. */
  readonly outcomeUnknown: string;
  /** A tool of somebody else takes its time. */
  readonly toolIsSlow: string;
  /** All places are taken (FULL-6). */
  readonly linesTaken: string;
  /** The call's audio cannot be brought back (MEDIA-9). */
  readonly lineFault: string;
  /** Left on an answering machine: a template that knows `context`, `memory` and `institution_name`. */
  readonly voicemail: string;
  readonly identity: IdentitySentences;
}

/** What comes of the checks of who is calling. */
export interface IdentitySentences {
  readonly notVerified: string;
  readonly wrongDetails: string;
  readonly tooManyAttempts: string;
  readonly notEnrolled: string;
  readonly noCodeSent: string;
  readonly codeExpired: string;
  readonly tooManyCodes: string;
  readonly wrongCode: string;
}
