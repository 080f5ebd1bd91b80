/** What a person at a phone is going to do. */
import type { PersonAction } from "../person/action.ts";
import type { PersonScript } from "../person/follow-script.ts";

/** A phone has keys and a microphone; recordings are left out, because only the process that has the file can play it. */
export type PhoneAction = Exclude<PersonAction, { kind: "type" | "play" }>;

export function isPhoneAction(action: PersonAction): action is PhoneAction {
  return action.kind !== "type" && action.kind !== "play";
}

/** An answering machine that takes the call in place of a person: speaks, beeps, records, hangs up. */
export interface MachineScript {
  readonly greeting: string;
  /** Some machines do not beep and only fall silent. */
  readonly beeps: boolean;
}

export interface PhoneScript extends PersonScript {
  readonly actions: readonly PhoneAction[];
  /** The call ends when this ends. */
  readonly typed?: AsyncIterable<PhoneAction> | undefined;
  /** Replaces all actions of a person. */
  readonly machine?: MachineScript | undefined;
  /** The network's usual one where absent. */
  readonly voice?: string | undefined;
  /** Aborted when the person goes away: while waiting for a call, while it rings, or in the middle of it. */
  readonly leaves?: AbortSignal | undefined;
  /** How long the person waits for an answer before going on; a realistic time where absent. */
  readonly patienceMs?: number | undefined;
  /** How much silence the person takes for the end of what is being said; a realistic time where absent. */
  readonly quietMs?: number | undefined;
  /** How long it rings before it is picked up. */
  readonly pickUpAfterMs?: number | undefined;
  /** Stays on the line after the last answer and lets the service hang up. */
  readonly staysOnTheLine?: boolean | undefined;
}

/** The result of a call, as the person at the phone saw it. Times count from the moment it was picked up. */
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
  /** What the service says about the conversation: the words of both sides, tools, handoffs. */
  | { readonly kind: "transcribed"; readonly atMs: number; readonly label: string; readonly text: string }
  | { readonly kind: "ended"; readonly atMs: number; readonly why: string };
