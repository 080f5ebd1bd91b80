/**
 * Tools that act only for a caller whose identity has been verified, whatever the model decides. A tool that verifies it remembers
 * `identity_verified: true` and, of whom it is true, `verified_customer` (docs/tools.md). Clients and models cannot write either.
 */
import { packOf } from "../languages/packs.ts";
import { failed } from "./outcome.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

export function forVerifiedCallers(tool: Tool): Tool {
  return {
    ...tool,
    description: `${tool.description} The caller's identity must have been verified before.`,
    run: async (args, context) => refusal(context) ?? (await tool.run(args, context)),
  };
}

/** A conversation may change to another customer, whose identity the caller has not proved (CUSTOMER-6). */
function refusal({ memory, customer, language }: ToolContext): ToolOutcome | undefined {
  const isVerified = memory["identity_verified"] === true;
  if (isVerified && memory["verified_customer"] === customer?.id) return undefined;
  return failed("not_verified", packOf(language).sentences.notVerified, {
    // Prompts and rules read the memory. They would not ask for a proof while it contains that of another customer.
    ...(isVerified && { memory: { identity_verified: false } }),
  });
}
