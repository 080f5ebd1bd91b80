import { z } from "zod";
import { failed } from "@voice/tool-kit";
import { defineGuardedTool } from "./customers/define-tools.ts";

/** The amount above which a transaction is worth asking about. */
const suspiciousRisk = 0.7;

export const checkSuspiciousActivity = defineGuardedTool({
  name: "check_suspicious_activity",
  description: "Transactions on the caller's accounts that look unusual.",
  parameters: z.object({}),
  slowNotice: "One moment, I am going through your recent activity.",
  run: (_args, context) => {
    const suspicious = context.profile.transactions.filter(
      (transaction) => transaction.risk_score >= suspiciousRisk && transaction.status !== "disputed",
    );
    return {
      count: suspicious.length,
      transactions: suspicious.map(({ merchant, amount, timestamp, location, status }) => ({
        merchant,
        amount: Math.abs(amount),
        date: timestamp.slice(0, 10),
        city: location.city,
        status,
      })),
    };
  },
});

export const disputeTransaction = defineGuardedTool({
  name: "dispute_transaction",
  description:
    "Disputes a charge that the caller does not recognise. Without a merchant, the most suspicious one. Confirm first.",
  parameters: z.object({ merchant: z.string().optional() }),
  sideEffects: true,
  run: async ({ merchant }, context) => {
    const charges = context.profile.transactions.filter((transaction) => transaction.amount < 0);
    const found =
      merchant === undefined
        ? charges
            .filter(({ risk_score }) => risk_score >= suspiciousRisk)
            .toSorted((left, right) => right.risk_score - left.risk_score)[0]
        : charges.find((transaction) => transaction.merchant.toLowerCase().includes(merchant.toLowerCase()));
    if (found === undefined) return failed("no_such_transaction", "I do not see such a charge on your account.");
    if (found.status === "disputed") return failed("already_disputed", "That charge is in dispute already.");
    if (found.status === "refunded") return failed("already_refunded", "That charge was refunded already.");
    await context.changeProfile(({ transactions }) => ({
      transactions: transactions.map((other) =>
        other.transaction_id === found.transaction_id ? Object.assign({}, other, { status: "disputed" }) : other,
      ),
    }));
    return { merchant: found.merchant, amount: Math.abs(found.amount), review_days: 10 };
  },
});

export const openFraudCase = defineGuardedTool({
  name: "open_fraud_case",
  description: "Opens a case with the fraud team, who will call back.",
  parameters: z.object({ description: z.string().min(1).describe("What happened, in one sentence.") }),
  sideEffects: true,
  run: ({ description }, context) => {
    if (context.memory["fraud_case"] !== undefined) return failed("case_exists", "There is an open case already.");
    const caseNumber = String(700_000 + (context.now() % 100_000)).padStart(6, "0");
    context.remember({ fraud_case: { caseNumber, description } });
    return { case_number: caseNumber, callback_hours: 24 };
  },
});
