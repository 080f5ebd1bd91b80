/** Tools that end or move the call. Their effects are carried out by the host, which tells the caller if it cannot. */
import { z } from "zod";
import { defineTool } from "../define-tool.ts";

export const escalateHuman = defineTool({
  name: "escalate_human",
  description: "Connects the caller to a person. Use it when they ask for one or when you cannot help.",
  parameters: z.object({ reason: z.string().min(1).describe("Why a person is needed, in one short sentence.") }),
  onInterruption: "finish",
  run: ({ reason }) => ({
    result: { success: true, message: "A person will take over." },
    effects: [{ type: "escalate", reason }],
  }),
});

export const endCall = defineTool({
  name: "end_call",
  description: "Hangs up, after you have said goodbye. Use it when the caller is done.",
  parameters: z.object({ reason: z.string().min(1).describe("Why the call is over.") }),
  onInterruption: "finish",
  run: ({ reason }) => ({ result: { success: true }, effects: [{ type: "hang-up", reason }] }),
});
