/** Loads a provider of the user's own; what does so is imported only if a setting names a module. */
import type { ProviderKind } from "@voice/provider-kit/define-provider";
import type { Logger } from "@voice/shared/platform/logger";
import type { LoadedProvider, WantedProvider } from "../providers/own/load-provider.ts";

export async function loadOwn<Kind extends ProviderKind>(
  wanted: WantedProvider<Kind>,
  logger: Logger,
): Promise<LoadedProvider<Kind>> {
  const [{ loadProvider }, { loadVoiceActivity }] = await Promise.all([
    import("../providers/own/load-provider.ts"),
    import("@voice/provider-kit/voice-activity/local-voice-activity"),
  ]);
  return loadProvider(wanted, { createVoiceActivityDetector: await loadVoiceActivity(), logger });
}
