/** What a host reports of services that nobody has needed yet: whether they can be reached. */
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "@voice/shared/platform/clock";
import type { HostHeartbeat, ProviderKind } from "@voice/shared/state/ports/host-registry";
import { startTestHost } from "../support/test-host.ts";
import { freePort } from "../support/free-port.ts";
import { servicesSpeech } from "../support/speech-engines.ts";
import { eventually } from "../support/wait.ts";

/** A label has at most 63 characters (RFC 1035, section 2.3.4), so this name resolves nowhere, and nobody is asked for it. */
const nowhere = `${"n".repeat(64)}.example`;

async function statusOf(
  kind: ProviderKind,
  settings: Readonly<Record<string, string>>,
): Promise<HostHeartbeat["providers"][ProviderKind]> {
  const host = await startTestHost({
    settings,
    providers: "settings",
    clock: systemClock,
    localSpeech: servicesSpeech,
  });
  onTestFinished(() => host.close());
  let status: HostHeartbeat["providers"][ProviderKind];
  await eventually(async () => {
    status = (await host.state.hosts.list()).at(0)?.providers[kind];
    return status !== undefined && status.basis !== "not-asked" && status.error !== "it has not been asked yet";
  }, "the service was asked");
  return status;
}

async function serverThatAnswers(status: number): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end("{}"));
  const port = await freePort();
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

const model = (endpoint: string) => ({
  CLOUD_OPENAI_ENDPOINT: endpoint,
  CLOUD_OPENAI_KEY: "k",
  CLOUD_OPENAI_DEPLOYMENT: "gpt",
});
const realtime = (endpoint: string) => ({
  CLOUD_VOICELIVE_ENDPOINT: endpoint,
  CLOUD_VOICELIVE_KEY: "k",
  CLOUD_VOICELIVE_MODEL: "gpt-realtime",
});
const telephone = (endpoint: string) => ({
  COMM_CONNECTION_STRING: `endpoint=${endpoint}/;accesskey=${Buffer.from("key").toString("base64")}`,
  COMM_PHONE_NUMBER: "+12025550100",
  COMM_RESOURCE_ID: "11111111-2222-4333-8444-555555555555",
  COMM_WEBHOOK_SECRET: "the secret of this test",
  BASE_URL: "http://127.0.0.1:9",
});

describe("[OPS-30] a service that no conversation has needed", () => {
  it.each([
    ["languageModel", model],
    ["realtimeModel", realtime],
    ["callControl", telephone],
  ] as const)("is not well if the name of its host does not resolve: %s", async (kind, settingsFor) => {
    expect(await statusOf(kind, settingsFor(`https://${nowhere}`))).toMatchObject({
      healthy: false,
      error: expect.stringMatching(/could not be reached|ENOTFOUND/),
    });
  });

  it.each([
    ["nobody listens at its address", async () => `http://127.0.0.1:${await freePort()}`, "could not be reached"],
    ["it does not accept our key", () => serverThatAnswers(401), "answered 401: its key or token is not accepted"],
    ["a gateway answers for it", () => serverThatAnswers(503), "answered 503"],
  ])("is not well if %s", async (_why, endpoint, error) => {
    expect(await statusOf("languageModel", model(await endpoint()))).toMatchObject({
      healthy: false,
      error: expect.stringContaining(error),
    });
  });

  it.each([200, 404])("can be reached if it answers with %i, and is not said to work", async (status) => {
    const known = await statusOf("languageModel", model(await serverThatAnswers(status)));
    expect(known).toEqual({ name: "openai", healthy: true, basis: "reached" });
  });
});
