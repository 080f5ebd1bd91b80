/** Reads and changes a customer's document as a demo profile, on which the demonstration's tools act. */
import { VoiceError } from "../platform/errors.ts";
import type { Customer, CustomerDocument } from "../tools/customer.ts";
import { applyProfilePatch, demoProfileSchema, type DemoProfile, type ProfilePatch } from "./demo-profile.ts";

interface WithCustomer {
  readonly customer?: Customer | undefined;
}

/** Documents are replaced and never changed, so that each of them is checked once. */
const known = new WeakMap<CustomerDocument, DemoProfile>();

/** Throws where nobody is known: made-up details must not pass for somebody's. */
export function profileOf({ customer }: WithCustomer): DemoProfile {
  if (customer === undefined) throw nobody();
  return toProfile(customer.document);
}

/**
 * `change` returns the lists that it changes and may be called more than once. Rejects if there is no customer to store
 * it for.
 */
export async function changeProfile(
  { customer }: WithCustomer,
  change: (profile: DemoProfile) => ProfilePatch,
): Promise<DemoProfile> {
  if (customer === undefined) throw nobody();
  const changed = await customer.update((document) => {
    const profile = toProfile(document);
    return applyProfilePatch(profile, change(profile));
  });
  return toProfile(changed);
}

function nobody(): VoiceError {
  return new VoiceError("not_found", "the session has no known customer that a tool could act for");
}

function toProfile(document: CustomerDocument): DemoProfile {
  const profile = known.get(document) ?? demoProfileSchema.parse(document);
  known.set(document, profile);
  return profile;
}
