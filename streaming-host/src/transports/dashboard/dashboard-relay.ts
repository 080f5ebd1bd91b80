/** `/browser/dashboard/relay` (spec 4.11): sends what happens in one session, or in all, to a watcher. */
import type { LiveUpdate, LiveUpdates, WatchTarget } from "@voice/shared/state/ports/live-updates";
import { closeReasons } from "../close-reasons.ts";
import type { CloseReason } from "../close-reasons.ts";
import { isLevelUpdate } from "../level-update.ts";
import { maxUnsentBytes } from "../message-limits.ts";
import type { Socket } from "../socket.ts";

export interface DashboardRelay {
  start(onClosed: () => void): void;
  close(reason: CloseReason): void;
}

/** A watcher that falls behind first stops receiving level meters; transcripts are sent until the hard limit. */
const laggingBytes = maxUnsentBytes / 10;

export interface Watcher {
  readonly socket: Socket;
  readonly target: WatchTarget;
  /** Whether the watcher may see this update. */
  readonly sees: (update: LiveUpdate) => boolean;
}

export async function startDashboardRelay(
  { socket, target, sees }: Watcher,
  liveUpdates: LiveUpdates,
): Promise<DashboardRelay> {
  let open = true;

  function close(reason: CloseReason): void {
    if (!open) return;
    open = false;
    socket.close(closeReasons[reason].code, closeReasons[reason].text);
  }

  const stop = await liveUpdates.watch(target, (update) => {
    if (!open || !sees(update)) return;
    const { text } = update;
    if (socket.unsentBytes > laggingBytes && isLevelUpdate(text)) return;
    socket.sendSoon(text);
    if (socket.unsentBytes > maxUnsentBytes) close("slowReader");
  });
  return {
    close,
    start(onClosed) {
      socket.onClose = () => {
        open = false;
        void stop();
        onClosed();
      };
      socket.start();
    },
  };
}
