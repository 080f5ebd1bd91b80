/** The bridge to a telephony platform (spec section 4.5). */
import { getTelephonyHealth } from "@voice/shared/contracts/http/realtime";
import { answer, type Route } from "../http/route.ts";

export const telephonyRoutes: readonly Route[] = [
  answer(getTelephonyHealth)(() => Promise.resolve({ status: "ok", service: "telephony-bridge" })),
];
