import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { countedTry } from "./identity-checks.ts";
import { identitySentences } from "./identity-sentences.ts";
import { failed, succeeded } from "../outcome.ts";
import { profileOf } from "../../profiles/profile-of-customer.ts";
import type { ToolContext } from "../tool.ts";
import { maxIdentityAttempts } from "./identity-state.ts";

export const verifyIdentity = defineTool({
  name: "verify_identity",
  description:
    "Checks who is calling by the last four digits of the social security number, and the name if it was given.",
  parameters: z.object({
    ssn_last4: z
      .string()
      .regex(/^\d{4}$/, "exactly four digits")
      .describe("Last four digits."),
    full_name: z.string().optional().describe("First and last name, if the caller said it."),
  }),
  onInterruption: "finish",
  run: async ({ ssn_last4, full_name }, context) => {
    const profile = profileOf(context);
    const tries = await countedTry(context.checks, "identity");
    if (tries > maxIdentityAttempts) return tooMany(context);
    const nameFits = full_name === undefined || sameName(full_name, profile.full_name);
    if (nameFits && ssn_last4 === profile.verification_codes.ssn4) {
      await context.checks.clearTries("identity");
      return succeeded(
        { caller_name: profile.full_name, client_id: profile.client_id, relationship_tier: profile.relationship_tier },
        {
          memory: {
            identity_verified: true,
            verified_customer: context.customer?.id,
            caller_name: profile.full_name,
            first_name: profile.full_name.split(" ")[0],
            client_id: profile.client_id,
          },
        },
      );
    }
    if (tries === maxIdentityAttempts) return tooMany(context);
    return failed("wrong_details", identitySentences(context).wrongDetails);
  },
});

function tooMany(context: ToolContext): ReturnType<typeof failed> {
  return failed("too_many_attempts", identitySentences(context).tooManyAttempts);
}

function sameName(left: string, right: string): boolean {
  const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "");
  return letters(left) === letters(right);
}
