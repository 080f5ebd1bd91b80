import { useEffect } from "react";

import type { TakeoverSession } from "./watch/takeover-session.ts";
import type { PhoneSession } from "./phone/phone-session.ts";
import { useStore } from "./use-store.ts";

/**
 * A reload hangs up a phone call, and leaves a caller alone whom the operator has taken over, which nothing brings back, so the browser asks
 * first. A conversation with an agent is resumed afterwards.
 */
export function useLeaveGuard(phone: PhoneSession, takeover: TakeoverSession): void {
  const { call } = useStore(phone.store);
  const hasTaken = useStore(takeover.store).taken !== undefined;
  useEffect(() => {
    if (!hasTaken && (call === "none" || call === "ringing")) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [call, hasTaken]);
}
