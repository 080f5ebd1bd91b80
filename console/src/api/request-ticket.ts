/** A ticket opens one socket, because a page cannot set headers on it. */
import type { RequestTicket } from "@voice/client-kit/connection/socket-address";
import { z } from "zod";

import type { Http } from "./request.ts";

const ticket = z.object({
  websocket_url: z.string(),
  ticket: z.string(),
  access_expires_in: z.number().nullish(), // absent in the answers of older services
});

export function createTicketRequest(http: Http): RequestTicket {
  return (body) => http.json("/realtime/token", ticket, { method: "POST", body });
}
