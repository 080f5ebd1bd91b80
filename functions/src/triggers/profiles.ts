/** Demo customers. */
import { randomInt } from "node:crypto";
import { ownerOf, requireAccess } from "@voice/shared/auth/caller";
import { unknownResource } from "@voice/shared/auth/unknown-resource";
import { requireSessionAccess } from "@voice/shared/auth/session-owner";
import { generateProfile, getProfile } from "@voice/shared/contracts/http/profiles";
import { BadRequestError } from "@voice/shared/platform/errors";
import { createId } from "@voice/shared/platform/ids";
import { jsonBytes } from "@voice/shared/platform/json-bytes";
import { demoProfileSchema } from "@voice/demo/tools/customers/profile";
import { hasDemoCustomers } from "@voice/shared/demo/demo";
import type { StoredProfile } from "@voice/shared/state/records/profile-store";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import type { Dependencies } from "../dependencies.ts";
import { answer, type Route } from "../http/route.ts";

const maxSeed = 2 ** 31 - 1;

export const profileRoutes: readonly Route[] = [
  answer(generateProfile)(async ({ body, request }, dependencies) => {
    const { clock, sessionQuota, settings, state, storageQuota } = dependencies;
    if (!hasDemoCustomers(settings))
      throw new BadRequestError("not_found", "Demonstration customers are off here (DEMO_CUSTOMERS).");
    const generator = await import("@voice/demo/profiles/generate");
    const profileId = createId("profile");
    const sessionId = body?.session_id ?? undefined;
    if (sessionId !== undefined) await requireSessionAccess(request.caller, sessionId, state);
    await sessionQuota.require(request.caller.subject);
    const document = generator.generateProfile({
      profileId,
      nowMs: clock.wallNow(),
      seed: body?.seed ?? randomInt(maxSeed),
      fullName: body?.full_name ?? undefined,
      email: body?.email ?? undefined,
      phoneNumber: body?.phone_number ?? undefined,
      preferredChannel: body?.preferred_channel ?? undefined,
      scenario: body?.scenario ?? undefined,
    });
    const owner = ownerOf(request.caller);
    await storageQuota.require(request.caller.subject, jsonBytes(document));
    const stored = await state.profiles.create({ profileId, document: { ...document }, sessionId, owner });
    if (sessionId !== undefined) await bindToSession(profileId, sessionId, dependencies);
    return profileView(stored);
  }),

  answer(getProfile)(async ({ params, request }, { state }) => {
    const stored = await state.profiles.get(params.profile_id);
    if (stored === undefined) throw unknownResource("profile");
    requireAccess(request.caller, stored.owner, "profile");
    return profileView(stored);
  }),
];

/** A running conversation gets this customer with its next turn; a new one names the profile when it begins. */
async function bindToSession(profileId: string, sessionId: string, { state }: Dependencies): Promise<void> {
  const session = await state.sessions.get(sessionId);
  if (typeof session === "string") return;
  await updateWithRetry({
    read: async () => {
      const current = await state.sessions.get(sessionId);
      return typeof current === "string" ? session : current;
    },
    decide: (current) => (current.profileId === profileId ? undefined : { profileId }),
    write: async ({ version }, patch) => state.sessions.update(sessionId, version, patch),
  });
}

function profileView({ profileId, document, sessionId, createdAtMs, expiresAtMs }: StoredProfile) {
  const profile = demoProfileSchema.parse(document);
  return {
    profile_id: profileId,
    name: profile.full_name,
    accounts: profile.accounts.map((account) => ({ ...account })),
    mfa: { ...profile.mfa_settings, preferred_method: profile.contact_info.preferred_mfa_method },
    session_id: sessionId ?? null,
    created_at: new Date(createdAtMs).toISOString(),
    expires_at: new Date(expiresAtMs).toISOString(),
    profile: { ...document },
    safety_notice: "An invented customer for demonstrations. It is deleted when it expires.",
  };
}
