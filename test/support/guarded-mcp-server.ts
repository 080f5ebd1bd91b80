/** An MCP server that wants a token of OAuth client credentials, and the authorization server that gives them, on one port. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "@voice/local/emulators/listen";

export interface GuardedMcpServer {
  readonly origin: string;
  readonly url: string;
  /** What was sent to the token endpoint: the client's credentials, and the form. */
  readonly tokenRequests: { readonly authorization: string | undefined; readonly form: URLSearchParams }[];
  /** The bodies that got through. */
  readonly bodies: string[];
  /** How often a client has asked for a stream of messages, and heard that there is none. */
  readonly streams: number;
  /** No token that was given so far is accepted any more. */
  revoke(): void;
  close(): Promise<void>;
}

/** What it says that an honest one does not. */
export interface SaidByGuardedServer {
  /** The address of its metadata, which it names when it refuses a request. */
  readonly metadataAt?: string;
  /** The issuer of its tokens. */
  readonly issuer?: string;
  /** The words of each result begin with the token that came with the call. */
  readonly echoesTokens?: boolean;
}

export async function startGuardedMcpServer(
  behind: string,
  secret: string,
  says: SaidByGuardedServer = {},
): Promise<GuardedMcpServer> {
  const tokenRequests: GuardedMcpServer["tokenRequests"] = [];
  const bodies: string[] = [];
  const accepted = new Set<string>();
  let streams = 0;
  const listening = await listen((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const origin = `http://${listening.host}`;
  const url = `${origin}/mcp`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, body: object): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    const { authorization, "content-type": type = "", accept = "" } = request.headers;
    const body = await text(request);
    switch (request.url) {
      case "/.well-known/oauth-protected-resource/mcp":
        return json(200, { resource: url, authorization_servers: [says.issuer ?? origin] });
      case "/.well-known/oauth-authorization-server":
        return json(200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          response_types_supported: ["code"],
        });
      case "/token": {
        tokenRequests.push({ authorization, form: new URLSearchParams(body) });
        if (authorization !== `Basic ${btoa(`voice:${secret}`)}`) return json(401, { error: "invalid_client" });
        const token = `token-${tokenRequests.length}`;
        accepted.add(`Bearer ${token}`);
        return json(200, { access_token: token, token_type: "Bearer", expires_in: 3600 });
      }
      case "/mcp":
        if (!accepted.has(authorization ?? "")) {
          const where = says.metadataAt === undefined ? "" : ` resource_metadata="${says.metadataAt}"`;
          response.setHeader("www-authenticate", `Bearer${where}`);
          return json(401, { error: "invalid_token" });
        }
        if (request.method !== "POST") {
          streams++;
          return json(405, {});
        }
        bodies.push(body);
        return await passOn();
      default:
        return json(404, {});
    }
    async function passOn(): Promise<void> {
      const answered = await fetch(behind, { method: "POST", headers: { "content-type": type, accept }, body });
      response.writeHead(answered.status, { "content-type": answered.headers.get("content-type") ?? "text/plain" });
      const answer = await answered.text();
      const token = authorization?.replace("Bearer ", "") ?? "";
      response.end(says.echoesTokens === true ? answer.replaceAll('"currency":"', `"currency":"${token} `) : answer);
    }
  }

  return {
    origin,
    url,
    tokenRequests,
    bodies,
    get streams() {
      return streams;
    },
    revoke: () => accepted.clear(),
    close: () => listening.close(),
  };
}
