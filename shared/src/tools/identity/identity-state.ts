/** What the session remembers about who is calling. */
import type { z } from "zod";
import { defineTool, type ToolDefinition } from "../define-tool.ts";
import { identitySentences } from "./identity-sentences.ts";
import { failed } from "../outcome.ts";
import type { Tool, ToolContext } from "../tool.ts";

export const maxIdentityAttempts = 3;

/** A conversation may get another customer, of whom the caller has proved nothing (CUSTOMER-6). */
export function isVerified({ memory, customer }: ToolContext): boolean {
  return memory["identity_verified"] === true && memory["verified_customer"] === customer?.id;
}

/** Prompts and rules go by what is remembered: nobody would be asked for a proof while somebody else's still stood there. */
function forgottenProof({ memory }: ToolContext): Readonly<Record<string, unknown>> {
  return memory["identity_verified"] === true ? { identity_verified: false } : {};
}

/** A tool that reveals nothing before the caller's identity has been verified, whatever the model decides. */
export function defineGuardedTool<Parameters extends z.ZodObject>(definition: ToolDefinition<Parameters>): Tool {
  return defineTool({
    ...definition,
    description: `${definition.description} The caller's identity must have been verified before.`,
    run: (args, context) =>
      isVerified(context)
        ? definition.run(args, context)
        : failed("not_verified", identitySentences(context).notVerified, { memory: forgottenProof(context) }),
  });
}
