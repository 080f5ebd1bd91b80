import { z } from "zod";
import type { Claim } from "./customers/profile.ts";
import { failed } from "@voice/tool-kit";
import { defineGuardedTool, type ProfileContext } from "./customers/define-tools.ts";
import { findPolicy, noSuchPolicy } from "./policies.ts";

const claimNumber = z.string().regex(/^\d{6}$/, "exactly six digits");
/** A claim older than this is refused; callers have two years. */
const maxIncidentAgeMs = 2 * 365 * 86_400_000;

export const reportClaim = defineGuardedTool({
  name: "report_claim",
  description:
    "Records a new claim: the first notice of loss. Read the facts back and ask the caller to confirm first.",
  parameters: z.object({
    policy: z.enum(["auto", "home"]),
    incident_date: z.iso.date().describe("When it happened, as YYYY-MM-DD."),
    kind: z.string().min(1).describe("What kind of damage: collision, theft, fire, water, weather."),
    description: z.string().optional().describe("What happened, in the caller's words."),
    anyone_hurt: z.boolean().optional(),
  }),
  sideEffects: true,
  slowNotice: "I am recording your claim.",
  run: async ({ policy: type, incident_date, kind, description, anyone_hurt }, context) => {
    const policy = findPolicy(context, type);
    if (policy === undefined) return noSuchPolicy(type);
    if (policy.status !== "active") return failed("lapsed", `Your ${type} policy is not active.`);
    const age = context.now() - Date.parse(incident_date);
    if (age < 0) return failed("date_in_future", "That date is in the future.");
    if (age > maxIncidentAgeMs)
      return failed("too_late", "That is more than two years ago, which is too late for a claim.");
    const { claims } = context.profile;
    const twin = claims.find(
      (claim) => claim.policy_number === policy.policy_number && claim.incident_date === incident_date,
    );
    if (twin !== undefined)
      return failed("already_reported", "That was reported already.", { claim_number: twin.claim_number });
    const facts: Omit<Claim, "claim_number"> = {
      policy_number: policy.policy_number,
      kind,
      status: "open",
      incident_date,
      description: description ?? kind,
      amount_paid: 0,
      adjuster: "Jordan Miller",
      notes: anyone_hurt === true ? ["Somebody was hurt."] : [],
    };
    const { claims: kept } = await context.changeProfile((current) => ({
      claims: [...current.claims, { claim_number: nextNumber(current.claims), ...facts }],
    }));
    const claim_number = kept.at(-1)?.claim_number;
    context.remember({ claim_number });
    return { claim_number, adjuster: facts.adjuster, deductible: policy.deductible };
  },
});

export const getClaimStatus = defineGuardedTool({
  name: "get_claim_status",
  description: "Where a claim stands. Without a number, the caller's newest claim.",
  parameters: z.object({ claim_number: claimNumber.optional() }),
  run: ({ claim_number }, context) => {
    const { claims } = context.profile;
    const newest = claims.toSorted((left, right) => right.incident_date.localeCompare(left.incident_date))[0];
    const claim =
      claim_number === undefined ? newest : claims.find((candidate) => candidate.claim_number === claim_number);
    if (claim === undefined) return noSuchClaim();
    const { kind, status, amount_paid, adjuster, incident_date } = claim;
    context.remember({ claim_number: claim.claim_number });
    return {
      claim_number: claim.claim_number,
      kind,
      status: status.replace("_", " "),
      amount_paid,
      adjuster,
      incident_date,
    };
  },
});

export const addClaimNote = defineGuardedTool({
  name: "add_claim_note",
  description: "Adds what the caller says to a claim, for the adjuster to read.",
  parameters: z.object({ claim_number: claimNumber, note: z.string().min(1) }),
  sideEffects: true,
  run: async ({ claim_number, note }, context) => {
    const claim = findClaim(context, claim_number);
    if (claim === undefined) return noSuchClaim();
    if (claim.status === "closed" || claim.status === "paid") return failed("claim_closed", "That claim is closed.");
    await context.changeProfile(({ claims }) => ({
      claims: claims.map((other) =>
        other.claim_number === claim_number ? Object.assign({}, other, { notes: [...other.notes, note] }) : other,
      ),
    }));
    return { claim_number, adjuster: claim.adjuster };
  },
});

export function findClaim(context: ProfileContext, claim_number: string): Claim | undefined {
  return context.profile.claims.find((claim) => claim.claim_number === claim_number);
}

export function noSuchClaim(): ReturnType<typeof failed> {
  return failed("no_such_claim", "I cannot find a claim with that number.");
}

function nextNumber(claims: readonly Claim[]): string {
  return String(Math.max(550_000, ...claims.map((claim) => Number(claim.claim_number))) + 1);
}
