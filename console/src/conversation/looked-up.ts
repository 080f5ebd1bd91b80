/** What an answer that was looked up in the documents rests on, from the tool's arguments and result. Pure. */
import { z } from "zod";

import type { Entry } from "./conversation-view.ts";

type ToolEntry = Extract<Entry, { kind: "tool" }>;

const passage = z.object({ text: z.string(), title: z.string().catch(""), source: z.string().catch("") });
const found = z.object({ passages: z.array(passage).min(1) });

export type Passage = z.infer<typeof passage>;

export interface LookedUp {
  readonly question: string;
  /** The best first; empty where nothing was found. */
  readonly passages: readonly Passage[];
}

const searchTool = "search_knowledge";

/** Undefined for any other tool, for one that has not answered, and for one that could not be reached. */
export function lookedUpBy({ name, status, args, result }: Pick<ToolEntry, "name" | "status" | "args" | "result">) {
  if (name !== searchTool || status === "started") return undefined;
  const { data } = found.safeParse(result);
  const { question } = args;
  const isNothing = z.object({ error: z.literal("nothing_found") }).safeParse(result).success;
  if (data === undefined && !isNothing) return undefined;
  return {
    question: typeof question === "string" ? question : "",
    passages: data?.passages ?? [],
  } satisfies LookedUp;
}

/** "Fees › Transfers (fees.pdf, page 2)". */
export function whereFound({ title, source }: Passage): string {
  if (title === "" || title === source) return source;
  return source === "" ? title : `${title} (${source})`;
}
