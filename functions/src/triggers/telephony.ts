/** The bridge to a telephony platform (spec section 4.5). */
import { getTelephonyHealth } from "@voice/shared/contracts/http/realtime";
import { route, type Route } from "../http/route.ts";

export const telephonyRoutes: readonly Route[] = [
  route(getTelephonyHealth)(() =>
    Promise.resolve({ status: 200, body: { status: "ok", service: "telephony-bridge" } }),
  ),
];
