/**
 * Whose data the tools act on. A bound profile is the session's own and is written back through the context. Without
 * one, changes to the built-in demo customer are kept in the session's memory, so that a card stays blocked.
 */
import { defaultProfile } from "../profiles/default-profile.ts";
import {
  applyProfilePatch,
  profilePatchSchema,
  type DemoProfile,
  type ProfilePatch,
} from "../profiles/demo-profile.ts";
import type { ToolContext } from "./tool.ts";

const changesKey = "demo_profile_changes";

export function profileOf(context: ToolContext): DemoProfile {
  if (context.profile !== undefined) return context.profile;
  return applyProfilePatch(defaultProfile, rememberedChanges(context));
}

/** Carries the change out and returns what the tool must leave in memory for it to last. */
export async function changeProfile(
  context: ToolContext,
  patch: ProfilePatch,
): Promise<Readonly<Record<string, unknown>>> {
  if (context.updateProfile !== undefined) {
    await context.updateProfile(patch);
    return {};
  }
  return { [changesKey]: { ...rememberedChanges(context), ...patch } };
}

function rememberedChanges(context: ToolContext): ProfilePatch {
  const remembered = profilePatchSchema.safeParse(context.memory[changesKey] ?? {});
  return remembered.success ? remembered.data : {};
}
