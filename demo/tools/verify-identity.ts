import { z } from "zod";
import { failed } from "@voice/tool-kit";
import { defineProfileTool, type ProfileContext } from "./customers/define-tools.ts";
import { identitySentences } from "./customers/identity-sentences.ts";

const maxAttempts = 3;

export const verifyIdentity = defineProfileTool({
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
  sideEffects: true,
  run: async ({ ssn_last4, full_name }, context) => {
    const { profile } = context;
    const tries = await context.attempts.count("identity");
    if (tries > maxAttempts) return tooMany(context);
    const nameFits = full_name === undefined || sameName(full_name, profile.full_name);
    if (nameFits && ssn_last4 === profile.verification_codes.ssn4) {
      await context.attempts.clear("identity");
      context.remember({
        identity_verified: true,
        verified_customer: context.customer?.id,
        caller_name: profile.full_name,
        first_name: profile.full_name.split(" ")[0],
        client_id: profile.client_id,
      });
      return {
        caller_name: profile.full_name,
        client_id: profile.client_id,
        relationship_tier: profile.relationship_tier,
      };
    }
    if (tries === maxAttempts) return tooMany(context);
    return failed("wrong_details", identitySentences(context).wrongDetails);
  },
});

function tooMany(context: ProfileContext): ReturnType<typeof failed> {
  return failed("too_many_attempts", identitySentences(context).tooManyAttempts);
}

function sameName(left: string, right: string): boolean {
  const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "");
  return letters(left) === letters(right);
}
