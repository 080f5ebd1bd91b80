/** A caller's connection, typed or spoken, that tells what its conversation has used. */
import type { Usage } from "@voice/shared/costs/usage";
import type { DialogueLine } from "../dialogues/dialogue-line.ts";
import type { CallerAction } from "../dialogues/dialogue.ts";

export interface SimulatedLine extends Pick<DialogueLine, "reply" | "hearOut" | "close"> {
  readonly sessionId: string;
  act(action: CallerAction): Promise<void>;
  usage(): Promise<Usage>;
}
