/** For callers from another insurance company that claims its money back from ours. */
import { z } from "zod";
import type { Claim } from "./customers/profile.ts";
import { failed, type DefinedTool } from "@voice/tool-kit";
import { defineProfileTool, type ProfileContext, type ProfileToolDefinition } from "./customers/define-tools.ts";
import { findClaim, noSuchClaim } from "./claims.ts";

/** Only demands above this amount justify expedited handling. */
const minimumRushDemand = 1000;
const empty = z.object({});

export const verifyInsurer = defineProfileTool({
  name: "verify_insurer",
  description: "Checks that a caller from another insurer may talk about a claim: they must know its number.",
  parameters: z.object({
    claim_number: z.string().regex(/^\d{6}$/, "exactly six digits"),
    company: z.string().optional().describe("The caller's company, if they said it."),
  }),
  sideEffects: true,
  run: ({ claim_number, company }, context) => {
    const claim = findClaim(context, claim_number);
    if (claim === undefined) return noSuchClaim();
    const party = claim.other_party;
    if (party === undefined) return failed("no_other_party", "There is no other party on that claim.");
    if (company !== undefined && !party.insurer.toLowerCase().includes(company.toLowerCase().split(" ")[0] ?? ""))
      return failed("wrong_company", "That company is not part of this claim.");
    context.remember({ insurer_verified: claim_number });
    return { claim_number, company: party.insurer, claimant: party.name };
  },
});

export const getDemandStatus = forVerifiedInsurer({
  name: "get_demand_status",
  description: "Where the other insurer's demand stands and how much it is.",
  run: (claim) => {
    const demand = claim.subrogation;
    if (demand === undefined || demand.status === "none")
      return failed("no_demand", "We have not received a demand on this claim.");
    return {
      status: demandStatus[demand.status],
      demand_amount: demand.demand_amount,
      adjuster: claim.adjuster,
    };
  },
});

export const getLiabilityDecision = forVerifiedInsurer({
  name: "get_liability_decision",
  description: "How much of the fault we accept on the claim.",
  run: (claim) =>
    claim.liability_percent === undefined
      ? failed("undecided", "Liability has not been decided yet.")
      : { liability_percent: claim.liability_percent, adjuster: claim.adjuster },
});

export const requestRush = forVerifiedInsurer({
  name: "request_rush",
  description: "Asks for the demand to be handled with priority.",
  sideEffects: true,
  run: async (claim, context) => {
    const demand = claim.subrogation;
    if (demand === undefined || demand.status === "none")
      return failed("no_demand", "We have not received a demand on this claim.");
    if (demand.rush) return failed("already_rushed", "That demand has priority already.");
    if (demand.demand_amount < minimumRushDemand)
      return failed("not_eligible", "That demand does not qualify for priority.");
    await context.changeProfile(({ claims }) => ({
      claims: claims.map((other) =>
        other.claim_number === claim.claim_number
          ? Object.assign({}, other, { subrogation: { ...demand, rush: true } })
          : other,
      ),
    }));
    return { business_days: 2 };
  },
});

const demandStatus = {
  demand_received: "received",
  in_review: "being reviewed",
  accepted: "accepted",
  paid: "paid",
} as const;

type Run = ProfileToolDefinition<typeof empty>["run"];

interface InsurerTool extends Omit<ProfileToolDefinition<typeof empty>, "parameters" | "run"> {
  run(claim: Claim, context: ProfileContext): ReturnType<Run>;
}

/** Acts on the one claim that the caller was verified for. */
function forVerifiedInsurer(definition: InsurerTool): DefinedTool {
  return defineProfileTool({
    ...definition,
    parameters: empty,
    description: `${definition.description} The caller's claim number must have been verified before.`,
    run: (_args, context) => {
      const verified = context.memory["insurer_verified"];
      const claim = typeof verified === "string" ? findClaim(context, verified) : undefined;
      return claim === undefined
        ? failed("not_verified", "I need your claim number before I can tell you about a claim.")
        : definition.run(claim, context);
    },
  });
}
