/** Refuses the sockets of pages that this service does not serve and CORS_ALLOWED_ORIGINS does not list. */
import type { IncomingMessage } from "node:http";
import { foreignHostProblem } from "@voice/shared/auth/foreign-host";
import { originProblem } from "@voice/shared/auth/origin";
import { twilioSignatureHeader } from "@voice/shared/calls/twilio/signature";
import type { Settings } from "@voice/shared/config/settings";
import type { Refusal } from "./refuse-upgrade.ts";
import { isServicePeer } from "./service-peer.ts";

/**
 * A page cannot set headers on a socket, so a request with one of the services' own headers does not come from a page.
 */
export function refusedPage(request: IncomingMessage, settings: Settings): Refusal | undefined {
  const { headers } = request;
  const header = (name: string): string | undefined => [headers[name]].flat()[0];
  const isService =
    isServicePeer(request) || header("x-api-key") !== undefined || header(twilioSignatureHeader) !== undefined;
  const foreignHost = foreignHostProblem(headers.host, settings);
  if (foreignHost !== undefined) return { status: 403, code: "forbidden", detail: foreignHost };
  const detail = isService ? undefined : originProblem(header, settings);
  if (detail === undefined) return undefined;
  const refusal: Refusal = { status: 403, code: "forbidden", detail };
  return headers.origin === undefined ? refusal : { ...refusal, closesFor: "foreignOrigin" };
}
