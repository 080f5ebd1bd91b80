/** The customers for whom the tools of a dialogue act, as in the service (CUSTOMER-5): your own, the demonstration's, or none. */
import { hasDemoCustomers } from "@voice/shared/demo/demo";
import type { Settings } from "@voice/shared/config/settings";
import { createStoredCustomers } from "@voice/shared/profiles/stored-customers";
import type { ProfileStore } from "@voice/shared/state/records/profile-store";
import type { CustomerSource } from "@voice/shared/tools/customer";
import { noCustomers } from "@voice/shared/tools/customer";
import { storeProfile } from "./dialogue-profile.ts";
import type { Dialogue } from "./dialogue.ts";

export type DialogueCustomers =
  | { readonly kind: "own"; readonly source: CustomerSource }
  | { readonly kind: "demo" }
  | { readonly kind: "none" };

/** `own`: those of TOOLS_DIR. */
export function customersOf(
  settings: Pick<Settings, "catalogDir" | "demoEnabled" | "demoCustomers" | "environment">,
  own: CustomerSource | undefined,
): DialogueCustomers {
  if (own !== undefined) return { kind: "own", source: own };
  return { kind: hasDemoCustomers(settings) ? "demo" : "none" };
}

export async function customerSourceOf(customers: DialogueCustomers, profiles: ProfileStore): Promise<CustomerSource> {
  if (customers.kind === "own") return customers.source;
  if (customers.kind === "none") return noCustomers;
  const { defaultProfile } = await import("@voice/demo/profiles/default-profile");
  return createStoredCustomers(profiles, defaultProfile);
}

/** The id that the caller names; undefined if the source of customers has to recognise the caller otherwise. */
export async function customerIdOf(
  dialogue: Dialogue,
  customers: DialogueCustomers,
  profiles: ProfileStore,
): Promise<string | undefined> {
  return customers.kind === "demo" ? storeProfile(dialogue, profiles) : dialogue.customer;
}

/** Why a dialogue or a goal cannot be about this customer; undefined if it can. */
export function customerProblem(
  { customer, hasProfile }: { readonly customer: string | undefined; readonly hasProfile: boolean },
  kind: DialogueCustomers["kind"],
): string | undefined {
  if (hasProfile && kind !== "demo") return "the demonstration's customers are not there: name a customer of TOOLS_DIR";
  if (customer !== undefined && kind !== "own") return "only customers of TOOLS_DIR can be named";
  return undefined;
}
