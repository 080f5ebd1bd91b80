import { useEffect } from "react";

import type { PhoneSession } from "./phone/phone-session.ts";
import { useStore } from "./use-store.ts";

/** A reload hangs up a phone call, which nothing brings back, so the browser asks first. A conversation is resumed afterwards. */
export function useLeaveGuard(phone: PhoneSession): void {
  const { call } = useStore(phone.store);
  useEffect(() => {
    if (call === "none" || call === "ringing") return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [call]);
}
