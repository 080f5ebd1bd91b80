/** Customers from a module in TOOLS_DIR. Its functions are called with a deadline, and their results are validated. */
import { z } from "zod";
import type { DefinedCustomers } from "@voice/tool-kit";
import { VoiceError } from "../../platform/errors.ts";
import type { CustomerSource } from "../customer.ts";
import type { CodeParts } from "./code-parts.ts";
import { describesNothingThrown } from "./describe-thrown.ts";

/** A caller waits this long before the first tool can run. */
const longestAnswerMs = 5000;

const document = z.record(z.string(), z.unknown());
const found = z.object({ id: z.string().min(1).max(256), document }).optional();

export function createCodeCustomers(defined: DefinedCustomers, parts: CodeParts): CustomerSource {
  return {
    async find({ sessionId = "", customerId, phoneNumber, subject, namedBy }) {
      const query = { sessionId, customerId, phoneNumber, subject: namedBy?.subject ?? subject };
      const answer = await inTime(parts, async (signal) => found.parse(await defined.find({ ...query, signal })));
      return answer;
    },
    async update({ id }, change) {
      const { update } = defined;
      if (update === undefined) throw new VoiceError("forbidden", "the customers of TOOLS_DIR cannot be changed");
      return inTime(parts, async (signal) => document.parse(await update(id, change, signal)));
    },
  };
}

async function inTime<Answer>(
  { clock, logger, words = describesNothingThrown }: CodeParts,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const abort = new AbortController();
  const late = Promise.withResolvers<never>();
  const cancel = clock.setTimer(longestAnswerMs, () => {
    late.reject(new VoiceError("upstream_timeout", "the customers of TOOLS_DIR did not answer in time"));
    abort.abort();
  });
  try {
    return await Promise.race([ask(abort.signal), late.promise]);
  } catch (error) {
    if (error instanceof VoiceError) throw error;
    logger.warn({ error, ...words(error) }, "the customers of TOOLS_DIR failed");
    throw new VoiceError("upstream_unavailable", "the customers of TOOLS_DIR could not be asked", { cause: error });
  } finally {
    cancel();
  }
}
