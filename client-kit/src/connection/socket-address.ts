/** The address for a socket: at the service's own origin or, with a ticket, the address that comes with it. */

export type SocketPurpose = "converse" | "watch" | "listen" | "try";

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

/** What `POST /realtime/token` answers. */
export interface Ticket {
  readonly websocket_url: string;
  readonly ticket: string;
  /** Absent in the answers of older services. */
  readonly access_expires_in?: number | null | undefined;
}

/** Requests a ticket from the service, or from a server of your own that requests it from the service. */
export type RequestTicket = (request: TicketRequest) => Promise<Ticket>;

export interface TicketRequest {
  readonly purpose: SocketPurpose;
  readonly session_id: string | undefined;
}

const paths: Readonly<Record<SocketPurpose, string>> = {
  converse: "/api/v1/browser/conversation",
  watch: "/api/v1/browser/dashboard/relay",
  listen: "/api/v1/realtime/listen",
  try: "/api/v1/realtime/tools",
};

export function createSocketAddress(
  /** Undefined while nobody has to sign in. A page cannot set headers on a socket, so it requests a ticket. */
  requestTicket: () => RequestTicket | undefined,
  /** An address of the service's origin. */
  service: string,
): SocketAddress {
  return (purpose, query) => {
    const request = requestTicket();
    return request === undefined ? plainAddress(service, purpose, query) : withTicket(request, purpose, query);
  };
}

export function plainAddress(service: string, purpose: SocketPurpose, query: SocketQuery): string {
  const url = new URL(paths[purpose], service);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return addTo(url, query).href;
}

async function withTicket(
  request: RequestTicket,
  purpose: SocketPurpose,
  query: SocketQuery,
): Promise<TicketedAddress> {
  const answer = await request({ purpose, session_id: query["session_id"] });
  const { websocket_url: url, ticket, access_expires_in: endsInSeconds } = answer;
  return {
    url: addTo(new URL(url), { ...query, session_id: undefined }).href,
    ticket,
    endsInMs: typeof endsInSeconds === "number" ? endsInSeconds * 1000 : undefined,
  };
}

function addTo(url: URL, query: SocketQuery): URL {
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}
