/** Loads a provider of the user's own; what does so is imported only if a setting names a module. */
import type { ProviderKind } from "@voice/provider-kit/define-provider";
import type { LoadedProvider, LoadProviderParts, WantedProvider } from "./providers/own/load-provider.ts";

export async function loadOwn<Kind extends ProviderKind>(
  wanted: WantedProvider<Kind>,
  parts: LoadProviderParts,
): Promise<LoadedProvider<Kind>> {
  const { loadProvider } = await import("./providers/own/load-provider.ts");
  return loadProvider(wanted, parts);
}
