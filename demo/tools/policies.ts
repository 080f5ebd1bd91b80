import { z } from "zod";
import type { Policy } from "./customers/profile.ts";
import { failed } from "@voice/tool-kit";
import { defineGuardedTool, type ProfileContext } from "./customers/define-tools.ts";

const policyType = z.enum(["auto", "home"]).describe("Which policy.");

export const listPolicies = defineGuardedTool({
  name: "list_policies",
  description: "The caller's insurance policies.",
  parameters: z.object({}),
  run: (_args, context) => {
    const { policies } = context.profile;
    if (policies.length === 0) return failed("no_policies", "I see no policies for you.");
    return {
      policies: policies.map(({ type, policy_number, status, insured_item }) => ({
        type,
        policy_number,
        status,
        insured_item,
      })),
    };
  },
});

export const getPolicyDetails = defineGuardedTool({
  name: "get_policy_details",
  description: "Deductible, limit, premium and renewal date of the caller's auto or home policy.",
  parameters: z.object({ policy: policyType }),
  run: ({ policy: type }, context) => {
    const policy = findPolicy(context, type);
    if (policy === undefined) return noSuchPolicy(type);
    const { policy_number, status, deductible, coverage_limit, premium_monthly, renews_on, coverages } = policy;
    return {
      policy: type,
      policy_number,
      status,
      deductible,
      coverage_limit,
      premium_monthly,
      renews_on,
      coverages,
    };
  },
});

export const checkCoverage = defineGuardedTool({
  name: "check_coverage",
  description: "Whether the caller's policy covers something, for instance flood, theft or a collision.",
  parameters: z.object({ policy: policyType, peril: z.string().min(1).describe("What happened or might happen.") }),
  run: ({ policy: type, peril }, context) => {
    const policy = findPolicy(context, type);
    if (policy === undefined) return noSuchPolicy(type);
    if (policy.status !== "active") return failed("lapsed", `Your ${type} policy is not active at the moment.`);
    const mentions = (list: readonly string[]): boolean => list.some((entry) => sameTopic(entry, peril));
    const covered = mentions(policy.exclusions) ? "no" : mentions(policy.coverages) ? "yes" : "unclear";
    return { policy: type, peril, covered, deductible: policy.deductible };
  },
});

export function findPolicy(context: ProfileContext, type: Policy["type"]): Policy | undefined {
  return context.profile.policies.find((policy) => policy.type === type);
}

export function noSuchPolicy(type: string): ReturnType<typeof failed> {
  return failed("no_such_policy", `You have no ${type} policy with us.`);
}

/** "water" matches "water damage", and "flooding" matches "flood". */
function sameTopic(entry: string, peril: string): boolean {
  const words = peril.toLowerCase().split(/\W+/);
  return entry
    .split(" ")
    .some((word) => words.some((other) => other !== "" && (other.startsWith(word) || word.startsWith(other))));
}
