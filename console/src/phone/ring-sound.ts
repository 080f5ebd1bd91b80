/** When a phone that rings is to be heard. */
import type { CancelTimer, Clock } from "@voice/shared/platform/clock";

import type { PhoneSession } from "./phone-session.ts";

const everyMs = 3000;

/** Calls `sound` again and again for as long as the phone rings. */
export function soundWhileRinging({ store }: Pick<PhoneSession, "store">, clock: Clock, sound: () => void): void {
  let cancel: CancelTimer | undefined;
  const ring = (): void => {
    cancel = clock.setTimer(everyMs, ring);
    sound();
  };
  store.subscribe(() => {
    const isRinging = store.get().call === "ringing";
    if (isRinging && cancel === undefined) ring();
    if (isRinging) return;
    cancel?.();
    cancel = undefined;
  });
}
