import { z } from "zod";
import { failed } from "@voice/tool-kit";
import { defineGuardedTool } from "./customers/define-tools.ts";

/** Withheld from an early withdrawal: the additional tax, and a flat estimate of income tax. */
const earlyWithdrawalTax = 0.1;
const incomeTaxEstimate = 0.22;

export const getRetirementAccounts = defineGuardedTool({
  name: "get_retirement_accounts",
  description: "The caller's retirement accounts with provider, balance and vesting.",
  parameters: z.object({}),
  slowNotice: "One moment while I look up your retirement accounts.",
  run: (_args, context) => {
    const accounts = context.profile.retirement_accounts;
    if (accounts.length === 0) return failed("none", "I see no retirement accounts for you.");
    return {
      accounts: accounts.map(({ plan, provider, balance, vested_percent }) => ({
        plan: planNames[plan],
        provider,
        balance,
        vested_percent,
      })),
      total: accounts.reduce((sum, { balance }) => sum + balance, 0),
    };
  },
});

export const getRolloverOptions = defineGuardedTool({
  name: "get_rollover_options",
  description: "What the caller can do with the plan of a former employer.",
  parameters: z.object({}),
  run: (_args, context) => {
    const old = context.profile.retirement_accounts.find((account) => account.former_employer);
    if (old === undefined) return failed("nothing_to_roll_over", "I see no plan of a former employer.");
    return {
      plan: planNames[old.plan],
      provider: old.provider,
      balance: old.balance,
      options: ["leave it where it is", "move it into an I R A", "take the cash and pay tax"],
    };
  },
});

export const estimateWithdrawalTax = defineGuardedTool({
  name: "estimate_withdrawal_tax",
  description: "What an early withdrawal from a retirement account would cost in tax, roughly.",
  parameters: z.object({ amount: z.number().positive().describe("Dollars to withdraw.") }),
  run: ({ amount }, context) => {
    const available = context.profile.retirement_accounts.reduce((sum, { balance }) => sum + balance, 0);
    if (amount > available) return failed("not_enough", "That is more than you have in your retirement accounts.");
    const tax = Math.round(amount * (earlyWithdrawalTax + incomeTaxEstimate));
    return { amount, tax, you_receive: amount - tax };
  },
});

const planNames = { "401k": "four oh one K", roth_ira: "Roth I R A", traditional_ira: "traditional I R A" } as const;
