/** Whose account a dialogue is about: the demo customer, or somebody made up from a seed. */
import { defaultProfile } from "@voice/shared/profiles/default-profile";
import type { DemoProfile } from "@voice/shared/profiles/demo-profile";
import { generateProfile } from "@voice/shared/profiles/generate";
import type { ProfileStore } from "@voice/shared/state/ports/profile-store";
import type { ToolCall } from "../person/reply.ts";
import { dialogueStartMs } from "./dialogue-clock.ts";
import type { Dialogue } from "./dialogue.ts";

export function profileOfDialogue({ profileSeed: seed }: Dialogue): DemoProfile {
  if (seed === undefined) return defaultProfile;
  return generateProfile({ profileId: `profile-dialogue-${seed}`, nowMs: dialogueStartMs, seed });
}

/** Stores the customer where the host looks them up; undefined for the demo customer, who need not be stored. */
export async function storeProfile(dialogue: Dialogue, profiles: ProfileStore): Promise<string | undefined> {
  if (dialogue.profileSeed === undefined) return undefined;
  const document = profileOfDialogue(dialogue);
  const { profile_id: profileId } = document;
  if ((await profiles.get(profileId)) === undefined) await profiles.create({ profileId, document });
  return profileId;
}

/** Lets a line refer to `{profile.ssn4}` as if a tool had returned the profile before the dialogue began. */
export function profileAsAnswer(dialogue: Dialogue): ToolCall {
  const { full_name, verification_codes } = profileOfDialogue(dialogue);
  return { name: "profile", args: {}, result: { full_name, ...verification_codes }, status: "success" };
}
