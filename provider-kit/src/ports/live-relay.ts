/** An external service that passes live updates on to its watchers. */
import type { LiveUpdate } from "@voice/shared/state/ports/live-updates";

export interface LiveRelay {
  /** Resolves when the service took it; rejects with a `VoiceError`. Bounded in time. */
  send(update: LiveUpdate): Promise<void>;
}
