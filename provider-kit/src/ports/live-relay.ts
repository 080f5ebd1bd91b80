/** An external service that forwards live updates to its watchers. */
import type { LiveUpdate } from "@voice/shared/state/ports/live-updates";

export interface LiveRelay {
  /** Resolves when the service has accepted it; rejects with a `VoiceError`. Has a time limit. */
  send(update: LiveUpdate): Promise<void>;
}
