/** What every provider is made from. */
import type { Settings } from "@voice/shared/config/settings";
import type { FileStore } from "@voice/shared/state/records/file-store";
import type { Recogniser } from "@voice/provider-kit/ports/recogniser";
import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import type { VendorContext } from "../providers/vendor-context.ts";

export interface LocalSpeech {
  readonly recogniser: Recogniser;
  readonly synthesiser: Synthesiser;
}

export interface ProviderParts extends VendorContext {
  readonly settings: Settings;
  /** For the audio of fixed words; absent where hosts share nothing. */
  readonly files?: FileStore | undefined;
  /** MODEL-11: counts what made a refused request acceptable. */
  readonly onModelRepaired?: ((repair: string) => void) | undefined;
  /** Local engines that several hosts of a process share; absent: the host starts its own. */
  readonly localSpeech?: (() => Promise<LocalSpeech>) | undefined;
}
