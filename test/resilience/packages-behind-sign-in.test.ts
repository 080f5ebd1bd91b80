/** Both packages as they are deployed, in production, behind one address and a sign-in: what strangers get, and what people do. */
import { startEmulators } from "@voice/local/emulators/start-emulators";
import { startIdentityEmulator, type IdentityEmulator } from "@voice/local/emulators/identity/emulator";
import { loadSettings } from "@voice/shared/config/load";
import { silentLogger } from "@voice/shared/platform/logger";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { knock } from "../support/browser-client.ts";
import { catalogOf } from "../support/built-in-catalog.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole, say, type ConsolePage } from "../support/console-page.ts";
import { freePort } from "../support/free-port.ts";
import { startFrontDoor } from "../support/front-door.ts";
import { isChromiumAvailable, isRedisAvailable } from "../support/installed-programs.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { createRestartableProcess, type RestartableProcess } from "../support/restartable-process.ts";
import { startFunctionsProcess } from "../support/server-process.ts";

const api = "6f9619ff-8b86-4011-b42d-00c04fc964f2";
const page = "6f9619ff-8b86-4011-b42d-00c04fc964f3";
const people = [{ name: "Una the user", subject: "una", roles: [] }];
const ticketed = z.object({ ticket: z.string() });
const kept = z.object({ sessionId: z.string() });

describe.runIf(isRedisAvailable())("the packages behind a sign-in", () => {
  const packages = inject("packages");
  const running = new AsyncDisposableStack();
  let identity: IdentityEmulator;
  let host: RestartableProcess;
  let origin: string;
  let socket: string;

  beforeAll(async () => {
    const redis = await startRedisServer();
    running.defer(() => redis.stop());
    const emulators = await startEmulators({ catalog: await catalogOf(loadSettings({})), logger: silentLogger });
    running.defer(() => emulators.close());
    identity = await startIdentityEmulator({ people, audience: api });
    running.defer(() => identity.close());

    const [port, hostPort] = [await freePort(), await freePort()];
    origin = `http://127.0.0.1:${port}`;
    socket = `ws://127.0.0.1:${port}/api/v1/browser/conversation`;
    const environment = {
      ...emulators.settings,
      LOG_LEVEL: "error",
      ENVIRONMENT: "production",
      DEMO_ENABLED: "true",
      BASE_URL: origin,
      STREAMING_HOST_URL: `ws://127.0.0.1:${hostPort}`,
      CACHE_HOST: "127.0.0.1",
      CACHE_PORT: `${redis.port}`,
      CACHE_TLS: "false",
      // Nobody calls here, but production does not start without a telephone.
      COMM_CONNECTION_STRING: "endpoint=http://127.0.0.1:9/;accesskey=a2V5",
      COMM_PHONE_NUMBER: "+12025550100",
      COMM_RESOURCE_ID: "99999999-8888-4777-8666-555555555555",
      ENABLE_AUTH_VALIDATION: "true",
      BACKEND_AUTH_CLIENT_ID: api,
      CLOUD_TENANT_ID: identity.tenantId,
      ALLOWED_CLIENT_IDS: page,
      AUTH_JWT_ISSUER: identity.entra.issuer,
      AUTH_JWKS_URL: identity.entra.jwksUrl,
      SIGN_IN_CLIENT_ID: page,
    };
    host = createRestartableProcess({
      what: "the packaged host",
      port: hostPort,
      script: packages.host,
      environment: { ...environment, PORT: `${hostPort}` },
      readyPath: "/readyz",
    });
    running.defer(() => host.kill());
    await host.start();
    const functions = await startFunctionsProcess(packages.functions, environment);
    running.defer(() => functions.stop());
    const frontDoor = await startFrontDoor({ port, hostPort, functionsPort: Number(new URL(functions.url).port) });
    running.defer(() => frontDoor.close());
  });

  afterAll(() => running.disposeAsync());

  async function headersOfUna() {
    const token = await identity.issueEntraToken({ aud: api, azp: page, sub: "una" });
    return { authorization: `Bearer ${token}` };
  }

  it("[ACCESS-16b] [ACCESS-18] tell strangers where to sign in, and nothing else", async () => {
    expect((await fetch(origin)).headers.get("content-type")).toContain("text/html");
    expect((await fetch(`${origin}/docs`)).status).toBe(200);
    expect(await (await fetch(`${origin}/api/v1/sign-in`)).json()).toMatchObject({
      required: true,
      provider: { client_id: page },
    });
    for (const closed of ["/api/v1/agents", "/api/v1/sessions", "/api/v1/access", "/docs/openapi.json"])
      expect({ closed, status: (await fetch(origin + closed)).status }).toEqual({ closed, status: 401 });
    const ticket = await fetch(`${origin}/api/v1/realtime/token`, { method: "POST" });
    expect(ticket.status).toBe(401);
    expect(await knock(socket)).toEqual({ status: 401, type: "unauthorized" });
    expect(await knock(`${socket}?ticket=made-up`)).toEqual({ status: 401, type: "unauthorized" });
  });

  it("[ACCESS-10a] serve a client with a token, and give it a ticket for one socket", async () => {
    const headers = await headersOfUna();
    expect((await fetch(`${origin}/api/v1/agents`, { headers })).status).toBe(200);
    expect((await fetch(`${origin}/docs/openapi.json`, { headers })).status).toBe(200);
    const answer = await fetch(`${origin}/api/v1/realtime/token`, { method: "POST", headers });
    const { ticket } = ticketed.parse(await answer.json());
    const withTicket = `${socket}?ticket=${encodeURIComponent(ticket)}`;
    expect(await knock(withTicket)).toBe(101);
    expect(await knock(withTicket)).toEqual({ status: 401, type: "unauthorized" });
  });

  describe.runIf(isChromiumAvailable())("in a browser", () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await launchChromium();
      running.defer(() => browser.close());
    });

    async function talkAsUna(): Promise<ConsolePage> {
      const { page: opened, problems } = await openConsole(browser, `${origin}/#talk`);
      await opened.getByRole("heading", { name: "Sign in to go on" }).waitFor();
      await opened.getByRole("button", { name: "Sign in" }).click();
      await opened.getByRole("link", { name: "Una" }).click();
      await say(opened, "I lost my card");
      await conversation(opened).getByText("hands over to").waitFor();
      return { page: opened, problems };
    }

    /** What the page resumes is what is stored, whatever it has seen before. */
    async function storedAgent(talking: ConsolePage["page"]): Promise<unknown> {
      const { sessionId } = kept.parse(JSON.parse(await talking.evaluate("sessionStorage['voice.conversation']")));
      const headers = await headersOfUna();
      return (await fetch(`${origin}/api/v1/sessions/${sessionId}`, { headers })).json();
    }

    it("let somebody sign in to the console, keep their conversation when its host dies, and let them read the docs in the same tab", async () => {
      const { page: talking, problems } = await talkAsUna();
      const answers = conversation(talking).locator(".entry-agent .bubble");
      const connectionLost = talking.getByText("The connection was lost.");
      await talking.getByRole("status").getByText("Card specialist is speaking").waitFor();
      expect(problems).toEqual([]);
      await expect.poll(() => storedAgent(talking)).toMatchObject({ active_agent: "card-specialist" });
      await host.kill();
      await connectionLost.waitFor();
      const before = await answers.allInnerTexts();
      expect(before.length).toBeGreaterThan(1);
      await keepScreenshot(talking, "talk-host-died");

      await host.start();
      await connectionLost.waitFor({ state: "detached" });
      await talking.getByRole("status").getByText("Card specialist is").waitFor();
      await say(talking, "Yes, please block it");
      const question = conversation(talking).locator(".entry-user", { hasText: "Yes, please block it" });
      await question.locator("~ .entry-agent").first().waitFor();
      await keepScreenshot(talking, "talk-host-back");
      const after = await answers.allInnerTexts();
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after.length).toBeGreaterThan(before.length);
      await talking.goto(`${origin}/docs`);
      await talking.getByText("/calls/initiate").first().waitFor();
      // A browser reports each socket that it could not open.
      expect(problems.filter((problem) => !problem.includes("WebSocket"))).toEqual([]);
    });
  });
});
