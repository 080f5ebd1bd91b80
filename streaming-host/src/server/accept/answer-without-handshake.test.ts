import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { answerWithoutHandshake } from "./answer-without-handshake.ts";

async function ask(path: string) {
  const server = createServer((request, response) => {
    if (!answerWithoutHandshake(request, response)) response.end("somebody else's");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, body: await response.text() };
  } finally {
    server.close();
  }
}

describe("[HS-2d] a plain request for the address of a socket", () => {
  it.each(["/api/v1/browser/conversation?ticket=secret", "/v1/media/stream/session-1", "/api/v1/telephony/stream"])(
    "is told at %s that a WebSocket is served there",
    async (path) => {
      const { status, body } = await ask(path);
      expect(status).toBe(400);
      expect(JSON.parse(body)).toMatchObject({
        status_code: 400,
        type: "validation_error",
        instance: path.split("?")[0],
        detail: expect.stringContaining("Upgrade: websocket"),
      });
      expect(body).not.toContain("secret");
    },
  );

  it("is left to others anywhere else", async () => {
    expect(await ask("/api/v1/browser/status")).toMatchObject({ body: "somebody else's" });
  });
});
