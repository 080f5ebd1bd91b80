/** One caller's connection, typed or spoken; the runner drives either in the same way. */
import type { Reply } from "../person/reply.ts";
import type { Dialogue, DialogueAction } from "./dialogue.ts";

/** Twice the time after which an agent asks about what it has not understood (TURN-13). */
export const answeredWithinMs = 2400;

export interface DialogueLine {
  /** Everything received since the first word of the current action, or since the beginning where there was none. */
  readonly reply: Reply;
  /** Resolves when the agent has fallen silent; rejects when it does not answer. */
  hearOut(): Promise<void>;
  /** Resolves at the first audio of the answer plus `afterMs`; rejects when there is none. */
  hearBeginning(afterMs: number): Promise<void>;
  /** Resolves after the time in which an agent would have answered. */
  hearNothing(): Promise<void>;
  act(action: DialogueAction): Promise<void>;
  close(): Promise<void>;
}

export type OpenDialogueLine = (dialogue: Dialogue) => Promise<DialogueLine>;
