// Stands in for the service that knows your orders: node service/orders.mjs [port]
import { createServer } from "node:http";

const orders = { 4412: { state: "in the oven", minutes: 20 }, 4413: { state: "on its way", minutes: 5 } };
const port = Number(process.argv[2] ?? 8098);

const server = createServer((request, response) => {
  const order = orders[request.url.split("/").at(-1)];
  response.writeHead(order === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(order ?? { message: "not found" }));
});
server.on("error", ({ message }) => {
  console.error(
    `${message}: choose another port (node orders.mjs 8099), also in tools/order_status.yaml and TOOL_PRIVATE_HOSTS`,
  );
  process.exitCode = 1;
});
server.listen(port, "127.0.0.1", () => console.log(`orders at http://127.0.0.1:${port}/orders/4412`));
