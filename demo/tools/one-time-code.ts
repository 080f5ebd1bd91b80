/**
 * A second factor for demonstrations. In development the code is in the tool's result, where the console shows it. No
 * code is actually sent.
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { failed } from "@voice/tool-kit";
import { defineProfileTool, type ProfileContext } from "./customers/define-tools.ts";
import { identitySentences } from "./customers/identity-sentences.ts";

const codeLength = 6;
const minuteMs = 60_000;

export const sendCode = defineProfileTool({
  name: "send_code",
  description: "Sends a six digit code to the caller's phone or e-mail, as a second check before something sensitive.",
  parameters: z.object({
    method: z.enum(["sms", "email"]).optional().describe("The caller's preferred way if absent."),
  }),
  run: ({ method }, context) => {
    const { contact_info, mfa_settings, phone_number } = context.profile;
    if (!mfa_settings.enabled) return failed("not_enrolled", identitySentences(context).notEnrolled);
    const sentAtMs = context.now();
    const by = method ?? contact_info.preferred_mfa_method;
    context.remember({ code_sent_at_ms: sentAtMs, code_verified: false });
    return {
      method: by,
      ending: by === "sms" ? phone_number.slice(-2) : undefined,
      expires_in_minutes: mfa_settings.code_expiry_minutes,
      ...(context.isDevelopment ? { demo_code: codeFor(context, sentAtMs) } : {}),
    };
  },
});

export const verifyCode = defineProfileTool({
  name: "verify_code",
  description: "Checks the six digit code that was sent.",
  parameters: z.object({ code: z.string().regex(/^\d{6}$/, "exactly six digits") }),
  sideEffects: true,
  run: async ({ code }, context) => {
    const { mfa_settings } = context.profile;
    const sentAtMs = context.memory["code_sent_at_ms"];
    if (typeof sentAtMs !== "number") return failed("no_code_sent", identitySentences(context).noCodeSent);
    if (context.now() - sentAtMs > mfa_settings.code_expiry_minutes * minuteMs)
      return failed("code_expired", identitySentences(context).codeExpired);
    // Guesses are counted across all codes, so a new code does not give the caller new attempts.
    const tries = await context.attempts.count("code");
    if (tries > mfa_settings.max_attempts) return failed("too_many_attempts", identitySentences(context).tooManyCodes);
    if (code !== codeFor(context, sentAtMs)) return failed("wrong_code", identitySentences(context).wrongCode);
    await context.attempts.clear("code");
    context.remember({ code_verified: true });
    return {};
  },
});

/** The code is derived, so that any host can check a code that another host issued. */
function codeFor(context: ProfileContext, sentAtMs: number): string {
  const secret = `${context.profile.mfa_settings.secret_key}:${context.sessionId}:${sentAtMs}`;
  const hash = createHash("sha256").update(secret).digest();
  return String(hash.readUInt32BE(0) % 10 ** codeLength).padStart(codeLength, "0");
}
