import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { createMcpAccess } from "./mcp-access.ts";

it("[MCP-1a] forgets a token shortly before it expires, and keeps one that does not", () => {
  const clock = new VirtualClock();
  const client = {
    client_id: "voice",
    client_secret: "{{ secrets.KEY }}",
    token_url: "https://identity.example/token",
  };
  const access = createMcpAccess(client, new Map([["KEY", "s"]]), clock);
  expect(access.clientInformation()).toMatchObject({ client_id: "voice", client_secret: "s" });
  void access.saveTokens({ access_token: "first", token_type: "Bearer", expires_in: 60 });
  clock.advance(49_999);
  expect(access.tokens()).toMatchObject({ access_token: "first" });
  clock.advance(1);
  expect(access.tokens()).toBeUndefined();
  void access.saveTokens({ access_token: "second", token_type: "Bearer" });
  clock.advance(24 * 60 * 60 * 1000);
  expect(access.tokens()).toMatchObject({ access_token: "second" });
});
