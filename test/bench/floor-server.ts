/** The least that Node can do for an HTTP request: the floor of the functions bench. */
import { createServer } from "node:http";

const server = createServer((_request, response) => {
  const body = JSON.stringify({ status: "healthy", timestamp: Date.now() / 1000 });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) console.log(`http://127.0.0.1:${address.port}`);
});
process.once("SIGTERM", () => process.exit(0));
