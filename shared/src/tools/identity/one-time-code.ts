/**
 * A second factor for demonstrations. In development the code is in the tool's result, where the console shows it. No
 * code is actually sent.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import { countedTry } from "./identity-checks.ts";
import { identitySentences } from "./identity-sentences.ts";
import { failed, succeeded } from "../outcome.ts";
import { profileOf } from "../../profiles/profile-of-customer.ts";
import type { ToolContext } from "../tool.ts";

const codeLength = 6;
const minuteMs = 60_000;

export const sendCode = defineTool({
  name: "send_code",
  description: "Sends a six digit code to the caller's phone or e-mail, as a second check before something sensitive.",
  parameters: z.object({
    method: z.enum(["sms", "email"]).optional().describe("The caller's preferred way if absent."),
  }),
  run: ({ method }, context) => {
    const { contact_info, mfa_settings, phone_number } = profileOf(context);
    if (!mfa_settings.enabled) return failed("not_enrolled", identitySentences(context).notEnrolled);
    const sentAtMs = context.clock.wallNow();
    const by = method ?? contact_info.preferred_mfa_method;
    return succeeded(
      {
        method: by,
        ending: by === "sms" ? phone_number.slice(-2) : undefined,
        expires_in_minutes: mfa_settings.code_expiry_minutes,
        ...(context.checks.showsCodes ? { demo_code: codeFor(context, sentAtMs) } : {}),
      },
      { memory: { code_sent_at_ms: sentAtMs, code_verified: false } },
    );
  },
});

export const verifyCode = defineTool({
  name: "verify_code",
  description: "Checks the six digit code that was sent.",
  parameters: z.object({ code: z.string().regex(/^\d{6}$/, "exactly six digits") }),
  onInterruption: "finish",
  run: async ({ code }, context) => {
    const { mfa_settings } = profileOf(context);
    const sentAtMs = context.memory["code_sent_at_ms"];
    if (typeof sentAtMs !== "number") return failed("no_code_sent", identitySentences(context).noCodeSent);
    if (context.clock.wallNow() - sentAtMs > mfa_settings.code_expiry_minutes * minuteMs)
      return failed("code_expired", identitySentences(context).codeExpired);
    // Guesses are counted across all codes, so a new code does not give the caller new attempts.
    const tries = await countedTry(context.checks, "code");
    if (tries > mfa_settings.max_attempts) return failed("too_many_attempts", identitySentences(context).tooManyCodes);
    if (code !== codeFor(context, sentAtMs)) return failed("wrong_code", identitySentences(context).wrongCode);
    await context.checks.clearTries("code");
    return succeeded({}, { memory: { code_verified: true } });
  },
});

/** The code is derived, so that any host can check a code that another host issued. */
function codeFor(context: ToolContext, sentAtMs: number): string {
  const secret = `${profileOf(context).mfa_settings.secret_key}:${context.sessionId}:${sentAtMs}`;
  const hash = createHash("sha256").update(secret).digest();
  return String(hash.readUInt32BE(0) % 10 ** codeLength).padStart(codeLength, "0");
}
