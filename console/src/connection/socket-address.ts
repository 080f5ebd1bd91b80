/** The address for a socket: at the page's own origin or, with a ticket, the address that comes with it. */
import { z } from "zod";

import type { Http } from "../api/request.ts";

type SocketPurpose = "converse" | "watch" | "listen";

export type SocketQuery = Readonly<Record<string, string | undefined>>;

export type SocketAddress = (purpose: SocketPurpose, query: SocketQuery) => string | Promise<string>;

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

const ticket = z.object({ websocket_url: z.string() });

export function createSocketAddress({ http, needsTicket, location }: SocketAddressOptions): SocketAddress {
  async function withTicket(purpose: SocketPurpose, query: SocketQuery): Promise<string> {
    const body = { purpose, session_id: query["session_id"] };
    const { websocket_url: url } = await http.json("/realtime/token", ticket, { method: "POST", body });
    return addTo(new URL(url), { ...query, session_id: undefined }).href;
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
