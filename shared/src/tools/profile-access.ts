/**
 * Whose data the tools act on. A bound customer's profile is written back through the context. Without one, changes to the built-in demo customer are kept in the session's memory, so that a card stays blocked.
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
  return context.customer?.profile ?? applyProfilePatch(defaultProfile, rememberedChanges(context));
}

/** Carries the change out; the tool must leave `memory` in the session's for it to last. */
export async function changeProfile(
  context: ToolContext,
  change: (profile: DemoProfile) => ProfilePatch,
): Promise<{ readonly profile: DemoProfile; readonly memory: Readonly<Record<string, unknown>> }> {
  if (context.customer !== undefined) return { profile: await context.customer.update(change), memory: {} };
  const before = profileOf(context);
  const patch = change(before);
  return {
    profile: applyProfilePatch(before, patch),
    memory: { [changesKey]: { ...rememberedChanges(context), ...patch } },
  };
}

function rememberedChanges(context: ToolContext): ProfilePatch {
  const remembered = profilePatchSchema.safeParse(context.memory[changesKey] ?? {});
  return remembered.success ? remembered.data : {};
}
