/** What a person at a phone is going to do. */

export type PhoneAction =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "press"; readonly keys: string }
  /** Stays silent until the other side has said one more thing. */
  | { readonly kind: "listen" };

/** An answering machine that takes the call in place of a person: speaks, beeps, records, hangs up. */
export interface MachineScript {
  readonly greeting: string;
  /** Some only fall silent. */
  readonly beeps: boolean;
}

export interface PhoneScript {
  /** In place of everything that a person would do. */
  readonly machine?: MachineScript | undefined;
  /** Each after the answer to the one before. */
  readonly actions: readonly PhoneAction[];
  /** What comes to mind during the call, after all of that. Its end is the end of the call. */
  readonly typed?: AsyncIterable<PhoneAction> | undefined;
  /** Aborted when the person goes away: while waiting for a call, while it rings, or in the middle of it. */
  readonly leaves?: AbortSignal | undefined;
  /** Speaks over every answer but the last, this long after it becomes audible. */
  readonly interruptAfterMs?: number | undefined;
  /** How long somebody waits to be answered before going on; as long as people do, where absent. */
  readonly patienceMs?: number | undefined;
  /** How long it rings before it is picked up. */
  readonly pickUpAfterMs?: number | undefined;
  /** Stays on the line after the last answer and lets the service hang up. */
  readonly staysOnTheLine?: boolean | undefined;
}

/** What became of a call, as the person at the phone saw it. Times count from the moment it was picked up. */
export type PhoneEvent =
  | {
      readonly kind: "ringing";
      readonly from: string;
      readonly to: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: "picked-up"; readonly rangMs: number }
  | { readonly kind: "heard"; readonly atMs: number; readonly forMs: number; readonly answeredInMs: number }
  | { readonly kind: "said"; readonly atMs: number; readonly text: string }
  | { readonly kind: "pressed"; readonly atMs: number; readonly keys: string }
  | { readonly kind: "beeped"; readonly atMs: number }
  | { readonly kind: "keys-heard"; readonly atMs: number; readonly keys: string }
  | { readonly kind: "nothing-heard"; readonly atMs: number }
  | { readonly kind: "ended"; readonly atMs: number; readonly why: string };
