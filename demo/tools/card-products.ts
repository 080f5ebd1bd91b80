import { z } from "zod";
import { defineTool, failed } from "@voice/tool-kit";
import { defineGuardedTool, type ProfileContext } from "./customers/define-tools.ts";

const products = {
  travel: {
    name: "Travel Rewards",
    annual_fee: 95,
    benefit: "three points for each dollar on travel",
    minimum_income: 3000,
  },
  cash_back: { name: "Cash Back", annual_fee: 0, benefit: "two percent back on everything", minimum_income: 2000 },
  low_rate: {
    name: "Low Rate",
    annual_fee: 0,
    benefit: "no interest for fifteen months on balance transfers",
    minimum_income: 1500,
  },
  premium: {
    name: "Premium",
    annual_fee: 495,
    benefit: "airport lounges and five points on travel",
    minimum_income: 9000,
  },
} as const;
const product = z.enum(["travel", "cash_back", "low_rate", "premium"]);

export const searchCardProducts = defineTool({
  name: "search_card_products",
  description: "Credit cards that fit what the caller is interested in, with fee and benefit.",
  parameters: z.object({ interest: product.describe("What matters most to the caller.") }),
  run: ({ interest }) => {
    const { name, annual_fee, benefit } = products[interest];
    return { product: interest, name, annual_fee, benefit };
  },
});

export const checkCardEligibility = defineGuardedTool({
  name: "check_card_eligibility",
  description: "Whether the caller would be approved for a credit card, and with what limit. Leaves no trace.",
  parameters: z.object({ product }),
  run: ({ product: wanted }, context) => {
    const problem = ineligible(wanted, context);
    if (problem !== undefined) return problem;
    return { product: wanted, name: products[wanted].name, credit_limit: limitFor(context) };
  },
});

export const applyForCard = defineGuardedTool({
  name: "apply_for_card",
  description: "Applies for a credit card. Say the annual fee and ask the caller to confirm first.",
  parameters: z.object({ product }),
  sideEffects: true,
  run: ({ product: wanted }, context) => {
    if (context.memory["card_application"] !== undefined)
      return failed("already_applied", "You have an application under way already.");
    const problem = ineligible(wanted, context);
    if (problem !== undefined) return problem;
    const application = { product: wanted, name: products[wanted].name, credit_limit: limitFor(context) };
    context.remember({ card_application: application });
    return { ...application, business_days: 7 };
  },
});

function ineligible(wanted: keyof typeof products, context: ProfileContext): ReturnType<typeof failed> | undefined {
  const { compliance, customer_intelligence } = context.profile;
  if (!compliance.kyc_verified) return failed("review_needed", "Your account needs a review before a new card.");
  if (customer_intelligence.monthly_income >= products[wanted].minimum_income) return undefined;
  return failed("not_eligible", `I am sorry, I cannot offer you the ${products[wanted].name} card at the moment.`);
}

/** Twice a month's income, rounded down to hundreds. */
function limitFor(context: ProfileContext): number {
  return Math.floor((context.profile.customer_intelligence.monthly_income * 2) / 100) * 100;
}
