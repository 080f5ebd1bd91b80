import { z } from "zod";
import { failed } from "@voice/tool-kit";
import { defineGuardedTool, defineProfileTool } from "./customers/define-tools.ts";

const account = z.enum(["checking", "savings"]).describe("Which account.");
const slowNotice = "One moment while I look that up.";
/** The number of entries that a listener can follow. */
const spokenTransactions = 3;

/**
 * Deliberately open without identification, so that a newcomer's first question to the demo gets an answer. Everything
 * else is guarded.
 */
export const getAccountBalance = defineProfileTool({
  name: "get_account_balance",
  description: "The balance of the caller's checking or savings account.",
  parameters: z.object({ account }),
  slowNotice,
  run: ({ account: type }, context) => {
    const found = context.profile.accounts.find((candidate) => candidate.type === type);
    if (found === undefined) return failed("no_such_account", `You have no ${type} account with us.`);
    const { account_last4, balance, available } = found;
    return { account: type, account_last4, balance, available };
  },
});

export const getAccountSummary = defineGuardedTool({
  name: "get_account_summary",
  description: "All accounts of the caller with their balances, and the total.",
  parameters: z.object({}),
  slowNotice,
  run: (_args, context) => {
    const accounts = context.profile.accounts.map(({ type, balance, account_last4 }) => ({
      account: type,
      account_last4,
      balance,
    }));
    return { accounts, total: cents(accounts.reduce((sum, { balance }) => sum + balance, 0)) };
  },
});

export const getRecentTransactions = defineGuardedTool({
  name: "get_recent_transactions",
  description: "The newest transactions on the caller's accounts, newest first.",
  parameters: z.object({
    count: z.int().min(1).max(10).default(spokenTransactions),
    merchant: z.string().optional().describe("Only those of this merchant."),
  }),
  slowNotice,
  run: ({ count, merchant }, context) => {
    const wanted = context.profile.transactions.filter(
      (transaction) => merchant === undefined || transaction.merchant.toLowerCase().includes(merchant.toLowerCase()),
    );
    if (wanted.length === 0) return failed("no_transactions", "I see no such transactions.");
    const newest = wanted.toSorted((left, right) => right.timestamp.localeCompare(left.timestamp)).slice(0, count);
    return {
      transactions: newest.map(({ merchant: name, amount, timestamp, status, category }) => ({
        merchant: name,
        amount: Math.abs(amount),
        direction: amount < 0 ? "paid" : "received",
        date: timestamp.slice(0, 10),
        status,
        category,
      })),
    };
  },
});

export const refundFee = defineGuardedTool({
  name: "refund_fee",
  description: "Refunds the newest fee on the caller's account, as a courtesy. Ask the caller to confirm first.",
  parameters: z.object({}),
  sideEffects: true,
  run: async (_args, context) => {
    const fees = context.profile.transactions.filter((transaction) => transaction.category === "fee");
    const fee = fees.find((transaction) => transaction.status === "posted");
    if (fee === undefined)
      return fees.length === 0
        ? failed("no_fee", "I see no fee on your account.")
        : failed("already_refunded", "That fee was refunded already.");
    const refund = Math.abs(fee.amount);
    await context.changeProfile(({ transactions, accounts }) => ({
      transactions: transactions.map((other) =>
        other.transaction_id === fee.transaction_id ? Object.assign({}, other, { status: "refunded" }) : other,
      ),
      accounts: accounts.map((other) =>
        other.account_id === fee.account_id
          ? Object.assign({}, other, {
              balance: cents(other.balance + refund),
              available: cents(other.available + refund),
            })
          : other,
      ),
    }));
    return { amount: refund, reason: fee.fee_reason ?? "a fee" };
  },
});

export const getRoutingNumber = defineGuardedTool({
  name: "get_routing_number",
  description: "The routing number and the last four digits of an account, for direct deposit.",
  parameters: z.object({ account }),
  run: ({ account: type }, context) => {
    const found = context.profile.accounts.find((candidate) => candidate.type === type);
    if (found === undefined) return failed("no_such_account", `You have no ${type} account with us.`);
    return { account: type, routing_number: "125000024", account_last4: found.account_last4 };
  },
});

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
