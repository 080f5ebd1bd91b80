/** Tools that end or move the call. Their effects are carried out by the host, which tells the caller if it cannot. */
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { succeeded } from "../outcome.ts";

const introduction = z
  .string()
  .min(1)
  .max(400)
  .optional()
  .describe(
    "What the person who takes the call is told before the caller is put through: who is calling and what about, in " +
      "one or two sentences, without account numbers or codes.",
  );

export const escalateHuman = defineTool({
  name: "escalate_human",
  description: "Connects the caller to a person. Use it when they ask for one or when you cannot help.",
  parameters: z.object({
    reason: z.string().min(1).describe("Why a person is needed, in one short sentence."),
    introduction,
  }),
  onInterruption: "finish",
  isRepeatable: true,
  run: ({ reason, introduction: words }) =>
    succeeded(
      { message: "A person will take over." },
      { effects: [{ type: "escalate", reason, ...(words === undefined ? {} : { introduction: words }) }] },
    ),
});

export const transferCall = defineTool({
  name: "transfer_call",
  description: "Transfers the call to another department. Tell the caller before you do it.",
  parameters: z.object({
    // Models see only the names of destinations, provided by `offerDestinations`; the host knows their numbers.
    department: z.string().regex(/^[a-z][a-z0-9-]*$/, "the name of a department in small letters"),
    reason: z.string().min(1),
    introduction,
  }),
  onInterruption: "finish",
  isRepeatable: true,
  run: ({ department, reason, introduction: words }) =>
    succeeded(
      { department },
      {
        effects: [
          { type: "transfer", target: department, reason, ...(words === undefined ? {} : { introduction: words }) },
        ],
      },
    ),
});

export const holdCall = defineTool({
  name: "hold_call",
  description:
    "Puts the caller on hold with music. Tell them before you do it; you have the call back when the time is over. " +
    "Use it when the caller asks for it or must wait for something.",
  parameters: z.object({
    seconds: z.int().min(5).max(300).describe("How long, in seconds; 60 where the caller names no time."),
  }),
  onInterruption: "finish",
  isRepeatable: true,
  run: ({ seconds }) => succeeded({ seconds }, { effects: [{ type: "hold", seconds }] }),
});

export const pressKeys = defineTool({
  name: "press_keys",
  description: "Presses keys of the phone, for a menu at the other end of the line.",
  parameters: z.object({ keys: z.string().regex(/^[0-9*#]{1,32}$/, "digits, star and hash only") }),
  onInterruption: "finish",
  run: ({ keys }) => succeeded({ pressed: keys.length }, { effects: [{ type: "send-dtmf", digits: keys }] }),
});

export const endCall = defineTool({
  name: "end_call",
  description: "Hangs up, after you have said goodbye. Use it when the caller is done.",
  parameters: z.object({ reason: z.string().min(1).describe("Why the call is over.") }),
  onInterruption: "finish",
  isRepeatable: true,
  run: ({ reason }) => succeeded({}, { effects: [{ type: "hang-up", reason }] }),
});
