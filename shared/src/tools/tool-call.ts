/** A model's call of a tool, as providers give it, as tools are run by it, and as it is stored in the history. */
import { z } from "zod";
import type { Stored } from "../state/stored-json.ts";

export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  /** The model's own JSON text. It may be malformed; the tool runner then reports that to the model. */
  argumentsJson: z.string(),
});
export type ToolCall = Stored<typeof toolCall>;
