/** The customer of a dialogue: the demo customer, or one generated from a seed. */
import { defaultProfile } from "@voice/demo/profiles/default-profile";
import type { DemoProfile } from "@voice/demo/tools/customers/profile";
import { generateProfile } from "@voice/demo/profiles/generate";
import type { ProfileStore } from "@voice/shared/state/records/profile-store";
import type { FinishedToolCall } from "../person/reply.ts";
import { dialogueStartMs } from "./dialogue-clock.ts";
import { createId } from "@voice/shared/platform/ids";
import type { Dialogue } from "./dialogue.ts";

export function profileOfDialogue({ profileSeed: seed }: Dialogue): DemoProfile {
  if (seed === undefined) return defaultProfile;
  return generateProfile({ profileId: `profile-dialogue-${seed}`, nowMs: dialogueStartMs, seed });
}

/**
 * Stores the customer where the host looks them up. Each call has one of its own, because wrong codes are counted for a
 * customer, over all their calls.
 */
export async function storeProfile(dialogue: Dialogue, profiles: ProfileStore): Promise<string> {
  const profileId = createId("profile");
  await profiles.create({ profileId, document: { ...profileOfDialogue(dialogue), profile_id: profileId } });
  return profileId;
}

/** Lets a line refer to `{profile.ssn4}` as if a tool had returned the profile before the dialogue began. */
export function profileAsAnswer(dialogue: Dialogue): FinishedToolCall {
  const { full_name, verification_codes } = profileOfDialogue(dialogue);
  return { name: "profile", args: {}, result: { full_name, ...verification_codes }, status: "success" };
}
