/** The demo customer that a session is bound to: what its tools read and change. */
import { BadRequestError, VoiceError } from "@voice/shared/platform/errors";
import { applyProfilePatch, demoProfileSchema } from "@voice/shared/profiles/demo-profile";
import type { DemoProfile, ProfilePatch } from "@voice/shared/profiles/demo-profile";
import type { ProfileStore, StoredProfile } from "@voice/shared/state/ports/profile-store";
import { updateWithRetry } from "@voice/shared/state/update-with-retry";
import type { Customer } from "@voice/shared/tools/tool";

export interface BoundProfile {
  readonly profileId: string | undefined;
  readonly callerName: string | undefined;
  /** Rejects with `not_found` for a profile that does not exist, and keeps the one before. */
  bind(profileId: string): Promise<void>;
  /** Undefined while the session is bound to nobody. */
  forTools(): Customer | undefined;
}

export function noSuchProfile(): BadRequestError {
  return new BadRequestError("not_found", "There is no such profile.", [
    { field: "profile_id", message: "no profile of this id, or it has expired", code: "not_found" },
  ]);
}

export function createBoundProfile(profiles: ProfileStore): BoundProfile {
  let bound: { readonly profileId: string; readonly profile: DemoProfile } | undefined;
  /** Changes of one session are written one after the other; between sessions, whoever loses the race decides again. */
  let writes: Promise<unknown> = Promise.resolve();

  function take({ profileId, document }: StoredProfile): void {
    bound = { profileId, profile: demoProfileSchema.parse(document) };
  }

  async function write(profileId: string, change: (profile: DemoProfile) => ProfilePatch): Promise<DemoProfile> {
    const stored = await updateWithRetry({
      async read() {
        const current = await profiles.get(profileId);
        if (current === undefined) throw new VoiceError("not_found", "the session's profile has expired");
        return current;
      },
      decide({ document }) {
        const current = demoProfileSchema.parse(document);
        return applyProfilePatch(current, change(current));
      },
      write: (current, changed) => profiles.update(profileId, current.version, changed),
    });
    if (bound?.profileId === profileId) take(stored);
    return demoProfileSchema.parse(stored.document);
  }

  return {
    get profileId() {
      return bound?.profileId;
    },
    get callerName() {
      return bound?.profile.full_name;
    },
    async bind(profileId) {
      const stored = await profiles.get(profileId);
      if (stored === undefined) throw noSuchProfile();
      take(stored);
    },
    forTools() {
      if (bound === undefined) return undefined;
      const { profileId, profile: atFirst } = bound;
      return {
        get profile() {
          return bound?.profileId === profileId ? bound.profile : atFirst;
        },
        update(change) {
          const mine = writes.then(() => write(profileId, change));
          writes = mine.catch(() => undefined); // the tool that asked for it hears of its failure
          return mine;
        },
      };
    },
  };
}
