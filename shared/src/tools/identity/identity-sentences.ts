import type { IdentitySentences } from "../../languages/sentences.ts";
import { packOf } from "../../languages/packs.ts";
import type { ToolContext } from "../tool.ts";

/** Sentences for the caller, in the language that the agent speaks. */
export function identitySentences({ language }: Pick<ToolContext, "language">): IdentitySentences {
  return packOf(language).sentences.identity;
}
