import { decodeJwt } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { startApi, type Api } from "./api-harness.ts";

let api: Api | undefined;

afterEach(async () => api?.close());

describe("a dashboard that watches through Web PubSub", () => {
  const key = Buffer.from("a key of sufficient length for the token").toString("base64");
  const settings = {
    CLOUD_WEBPUBSUB_CONNECTION_STRING: `Endpoint=https://voice.webpubsub.azure.com;AccessKey=${key};Version=1.0;`,
  };

  it("[ACCESS-15a] [ACCESS-15b] gets an address that hears one session, and may do nothing else", async () => {
    api = await startApi(settings);
    const answer = await api.call("POST", "/api/v1/realtime/dashboard/negotiate", { session_id: "s-1" });
    expect(answer).toMatchObject({ status: 200, body: { group: "s-1", protocol: "json.webpubsub.azure.v1" } });
    const { url } = z.object({ url: z.string() }).parse(answer.body);
    expect(url).toMatch(/^wss:\/\/voice\.webpubsub\.azure\.com\/client\/hubs\/voice\?access_token=/);
    const claims = decodeJwt(new URL(url).searchParams.get("access_token") ?? "");
    expect(claims).toMatchObject({ "webpubsub.group": ["s-1"], sub: "anonymous" });
    expect(claims["role"] ?? []).toEqual([]);
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300);
  });

  it("[ACCESS-15c] hears everything in a group that no session's id can name", async () => {
    api = await startApi(settings);
    const everything = await api.call("POST", "/api/v1/realtime/dashboard/negotiate");
    expect(everything).toMatchObject({ status: 200, body: { group: "!all" } });
    const posing = await api.call("POST", "/api/v1/realtime/dashboard/negotiate", { session_id: "!all" });
    expect(posing.status).toBe(422);
  });

  it("is told where to watch when there is no Web PubSub", async () => {
    api = await startApi();
    const answer = await api.call("POST", "/api/v1/realtime/dashboard/negotiate");
    expect(answer).toMatchObject({ status: 404, body: { detail: expect.stringContaining("/dashboard/relay") } });
  });
});
