/** The address for a socket: at the page's own origin or, with a ticket, the address that comes with it. */
import { z } from "zod";

import type { Http } from "../api/request.ts";

type SocketPurpose = "converse" | "watch" | "listen";

export type SocketQuery = Readonly<Record<string, string | undefined>>;

/** An address that a ticket opens. */
export interface TicketedAddress {
  readonly url: string;
  readonly ticket: string;
  /** When the service closes a socket that was opened with it, unless a newer ticket renews it; undefined if never. */
  readonly endsInMs: number | undefined;
}

export type Address = string | TicketedAddress;

export type SocketAddress = (purpose: SocketPurpose, query: SocketQuery) => Address | Promise<Address>;

export interface SocketAddressOptions {
  readonly http: Http;
  /** A page cannot set headers on a socket, so if authentication is on, it requests a ticket. */
  readonly needsTicket: () => boolean;
  /** The page's address. */
  readonly location: string;
}

const paths: Readonly<Record<SocketPurpose, string>> = {
  converse: "/api/v1/browser/conversation",
  watch: "/api/v1/browser/dashboard/relay",
  listen: "/api/v1/realtime/listen",
};

const ticketAnswer = z.object({
  websocket_url: z.string(),
  ticket: z.string(),
  access_expires_in: z.number().nullish(), // absent in the answers of older services
});

export function createSocketAddress({ http, needsTicket, location }: SocketAddressOptions): SocketAddress {
  async function withTicket(purpose: SocketPurpose, query: SocketQuery): Promise<TicketedAddress> {
    const body = { purpose, session_id: query["session_id"] };
    const answer = await http.json("/realtime/token", ticketAnswer, { method: "POST", body });
    const { websocket_url: url, ticket, access_expires_in: endsInSeconds } = answer;
    return {
      url: addTo(new URL(url), { ...query, session_id: undefined }).href,
      ticket,
      endsInMs: typeof endsInSeconds === "number" ? endsInSeconds * 1000 : undefined,
    };
  }

  return (purpose, query) => {
    if (needsTicket()) return withTicket(purpose, query);
    const url = new URL(paths[purpose], location);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    return addTo(url, query).href;
  };
}

function addTo(url: URL, query: SocketQuery): URL {
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}
