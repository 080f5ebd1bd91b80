import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { profileOf } from "../profile-access.ts";

export const getAccountBalance = defineTool({
  name: "get_account_balance",
  description: "The balance of the caller's checking or savings account.",
  parameters: z.object({ account: z.enum(["checking", "savings"]).describe("Which account.") }),
  slowNotice: "One moment while I look that up.",
  run: ({ account }, context) => {
    const found = profileOf(context).accounts.find((candidate) => candidate.type === account);
    if (found === undefined)
      return { result: { success: false, error: "no_such_account", message: `There is no ${account} account.` } };
    return {
      result: {
        success: true,
        account: found.type,
        account_last4: found.account_last4,
        balance: found.balance,
        available: found.available,
      },
    };
  },
});
