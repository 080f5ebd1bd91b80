/** What a simulated person can do in a conversation, whatever line they are on. */
import { z } from "zod";

const text = z.string().min(1).max(2000);
const keys = z.string().regex(/^[0-9*#A-D]{1,32}$/, "expects keys: 0 to 9, *, # and A to D, at most 32 of them");

export const personAction = z.discriminatedUnion("kind", [
  /** Speaks it with a synthetic voice. */
  z.object({ kind: z.literal("say"), text }),
  /** Speaks a recording: the path of a WAV file. */
  z.object({ kind: z.literal("play"), path: z.string().min(1) }),
  /** Sends it as a typed message. */
  z.object({ kind: z.literal("type"), text }),
  z.object({ kind: z.literal("press"), keys }),
  /** Says nothing for so long, and expects no answer to that. */
  z.object({ kind: z.literal("wait"), durationMs: z.coerce.number().int().positive().max(3_600_000) }),
  /** Says nothing until the other side has said one more thing. */
  z.object({ kind: z.literal("listen") }),
]);

export type PersonAction = z.infer<typeof personAction>;
export type SpokenAction = Extract<PersonAction, { kind: "say" | "play" }>;

/** What somebody types during a conversation: keys alone are pressed, everything else is said. */
export function typedAction(line: string): PersonAction | undefined {
  const words = line.trim();
  if (words === "") return undefined;
  return keys.safeParse(words).success ? { kind: "press", keys: words } : { kind: "say", text: words.slice(0, 2000) };
}
