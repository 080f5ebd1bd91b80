/** One address for both applications, with the routes of `infra/main.bicep`: sockets and pages for the host, the rest for the API. */
import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import { z } from "zod";
import { templateAt } from "../contract/infra/templates.ts";

const patterns = z.array(z.string());

export interface FrontDoor {
  close(): Promise<void>;
}

export async function startFrontDoor(at: {
  readonly port: number;
  readonly hostPort: number;
  readonly functionsPort: number;
}): Promise<FrontDoor> {
  const routes = templateAt("main.bicep").modules.find(({ symbol }) => symbol === "routes");
  const ofHosts = ["socketPaths", "pagePaths"].flatMap((name) => patterns.parse(routes?.params[name]));
  const backendOf = ({ url = "/" }: IncomingMessage): number => {
    const [path = "/"] = url.split("?", 1);
    const isHosts = ofHosts.some((pattern) =>
      pattern.endsWith("/*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
    );
    return isHosts ? at.hostPort : at.functionsPort;
  };

  const server = createServer((request, response) => {
    const { method, url: path, headers } = request;
    const forwarded = send({ host: "127.0.0.1", port: backendOf(request), method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    forwarded.once("error", () => response.destroy());
    request.pipe(forwarded);
  });
  server.on("upgrade", (request, socket, head) => {
    const backend = connect(backendOf(request), "127.0.0.1", () => {
      const { method, url, rawHeaders } = request;
      const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      backend.write(`${method} ${url} HTTP/1.1\r\n${lines.join("")}\r\n`);
      backend.write(head);
      socket.pipe(backend).pipe(socket);
    });
    for (const [one, other] of [
      [socket, backend],
      [backend, socket],
    ] as const) {
      one.on("error", () => undefined);
      one.once("close", () => other.destroy());
    }
  });
  server.listen(at.port, "127.0.0.1");
  await once(server, "listening");
  return {
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
