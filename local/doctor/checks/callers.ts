/** API clients send a token: what it must contain, and the keys that verify it. */
import { authConfigurationProblem } from "@voice/shared/auth/auth-configuration";
import { entraRules } from "@voice/shared/auth/verify-client";
import { z } from "zod";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";

const keySet = z.object({ keys: z.array(z.object({ kty: z.string(), kid: z.string().optional() })) });

export function callerChecks({ settings, parts }: DoctorContext): Check[] {
  const { enableAuthValidation, authJwksUrl, commJwksUrl, commResourceId } = settings;
  const ofCallers: Check[] = [
    {
      name: "callers' tokens",
      advice: "BACKEND_AUTH_CLIENT_ID, CLOUD_TENANT_ID and ALLOWED_CLIENT_IDS are the ids of app registrations",
      async run() {
        const problem = authConfigurationProblem(settings);
        if (problem !== undefined) throw new CheckFailure(problem, this.advice);
        const { audiences, issuers } = entraRules(settings);
        return `for ${audiences.join(" or ")}, of ${issuers[0]}, from ${settings.allowedClientIds.length} client(s)`;
      },
    },
    keyCheck("keys of the callers' issuer", () => entraRules(settings).jwksUrl, {
      setting: authJwksUrl === undefined ? "CLOUD_TENANT_ID" : "AUTH_JWKS_URL",
    }),
  ];
  const asksService = parts.calls.kind === "azure" && commResourceId !== undefined;
  return [
    ...(enableAuthValidation ? ofCallers : []),
    ...(asksService
      ? [keyCheck("keys of the communication service", () => commJwksUrl, { setting: "COMM_JWKS_URL" })]
      : []),
  ];
}

/** Without these keys nobody can be authenticated. */
function keyCheck(name: string, urlOf: () => string, { setting }: { readonly setting: string }): Check {
  const advice = `is ${setting} right, and may this machine reach the issuer?`;
  return {
    name,
    advice,
    async run(signal) {
      const url = urlOf();
      const answer = await fetch(url, { signal });
      if (answer.status !== 200) throw new CheckFailure(`${url} answered ${answer.status}`, advice);
      const parsed = keySet.safeParse(await answer.json().catch(() => undefined));
      const usable = parsed.data?.keys.filter(({ kty }) => kty === "RSA").length ?? 0;
      if (usable === 0) throw new CheckFailure(`${url} has no RSA keys`, advice);
      return `${usable} keys at ${url}`;
    },
  };
}
