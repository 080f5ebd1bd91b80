/** The example of the client kit in a real browser: pages of other origins than the service's, allowed and not. */
import { once } from "node:events";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { startIdentityEmulator, type IdentityEmulator } from "@voice/local/emulators/identity/emulator";
import { loadSettings } from "@voice/shared/config/load";
import { createLogger, silentLogger } from "@voice/shared/platform/logger";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { serveConsole } from "../../local/console/serve-console.ts";
import type { Service } from "../../local/service.ts";
import { accessibilityViolations } from "../support/accessibility.ts";
import { launchChromium } from "../support/chromium.ts";
import { conversation, keepScreenshot, openConsole, say, tabTo } from "../support/console-page.ts";
import { freePort } from "../support/free-port.ts";
import { isChromiumAvailable } from "../support/installed-programs.ts";
import { heardFromLoudspeaker } from "../support/loudspeaker.ts";
import { startTestService } from "../support/test-service.ts";

const api = "6f9619ff-8b86-4011-b42d-00c04fc964f2";
const page = "6f9619ff-8b86-4011-b42d-00c04fc964f3";

/** As the documentation starts it. */
async function startExample(service: string, port: number) {
  const child = spawn(process.execPath, ["client-kit/example/serve.mjs", "--port", `${port}`, "--service", service], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [address] = await once(createInterface(child.stdout), "line");
  return {
    address: String(address),
    close: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}

type Example = Awaited<ReturnType<typeof startExample>>;

/** Names of parts of the element that reach out of it, or whose text does. */
const whatOverflows = `(() => {
  const agent = document.querySelector("voice-agent");
  const { right } = agent.getBoundingClientRect();
  const isTooWide = (part) => part.getBoundingClientRect().right > right || part.scrollWidth > part.clientWidth + 1;
  const boxes = [...agent.shadowRoot.querySelectorAll("*")].filter((part) => part.clientWidth > 0);
  return boxes.filter(isTooWide).map((part) => part.className || part.localName);
})()`;

describe.runIf(isChromiumAvailable())("an agent in a page of another origin", () => {
  const lines: string[] = [];
  let browser: Browser;
  let identity: IdentityEmulator;
  let services: Service[];
  /** Allowed; not allowed; and allowed by a service where people sign in. */
  let examples: Example[];

  beforeAll(async () => {
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    const allows = (port: number | undefined) => ({ CORS_ALLOWED_ORIGINS: `http://127.0.0.1:${port}` });
    const onAnyPort = { PORT: "0", HOST: "127.0.0.1" };
    identity = await startIdentityEmulator({ people: [], audience: api });
    const pages = serveConsole();
    const logger = createLogger({
      level: "warn",
      name: "test",
      destination: { write: (line) => void lines.push(line) },
    });
    const signIn = {
      ENABLE_AUTH_VALIDATION: "true",
      BACKEND_AUTH_CLIENT_ID: api,
      CLOUD_TENANT_ID: identity.tenantId,
      ALLOWED_CLIENT_IDS: page,
      AUTH_JWT_ISSUER: identity.entra.issuer,
      AUTH_JWKS_URL: identity.entra.jwksUrl,
    };
    services = [
      await startTestService({ settings: loadSettings({ ...onAnyPort, ...allows(ports[0]) }), logger, pages }),
      await startTestService({
        settings: loadSettings({ ...onAnyPort, ...allows(ports[2]), ...signIn }),
        logger: silentLogger,
        pages,
      }),
    ];
    const [open, closed] = services.map(({ port }) => `http://127.0.0.1:${port}`);
    examples = await Promise.all(ports.map((port, index) => startExample((index === 2 ? closed : open) ?? "", port)));
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    for (const running of [...(examples ?? []), identity]) await running?.close();
    for (const service of services ?? []) await service.close(0);
  });

  /** Of all conversations that a service has. */
  const owners = async (of: number) =>
    (await services[of]?.state.sessions.list({ offset: 0, limit: 5 }))?.sessions.map(({ owner }) => owner);

  const visit = (example: number, path = "", options = {}) =>
    openConsole(browser, (examples[example]?.address ?? "") + path, options);

  it("[CLIENT-4] talks by keyboard alone, is heard, has no violation of WCAG AA, and goes on after a reload", async () => {
    const { page: shop, problems } = await visit(0, "", { recordsLoudspeaker: true });
    await tabTo(shop, shop.getByLabel("Message", { exact: true }));
    await shop.keyboard.type("I want to check my balance");
    await shop.keyboard.press("Enter");
    await conversation(shop).getByText("I want to check my balance").waitFor();
    await conversation(shop)
      .getByText(/checking or savings/i)
      .waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await shop.emulateMedia({ colorScheme });
      expect(await accessibilityViolations(shop)).toEqual([]);
      await keepScreenshot(shop, `embedded-${colorScheme}`);
    }
    await shop.getByRole("status").getByText("Listening").waitFor();
    const heard = await heardFromLoudspeaker(shop);
    expect(heard.some((sample) => Math.abs(sample) > 1000)).toBe(true);

    await shop.reload();
    await say(shop, "savings please");
    await conversation(shop).getByText("savings please").waitFor();
    await conversation(shop).locator(".entry.agent").first().waitFor();
    expect(await owners(0)).toEqual([undefined]);
    await tabTo(shop, shop.getByRole("button", { name: "End", exact: true }));
    await shop.keyboard.press("Enter");
    await shop.getByText("The conversation has ended").waitFor();
    // The microphone is refused in this browser, and that is said.
    await shop.getByRole("button", { name: "Start talking" }).click();
    await shop.getByRole("alert").getByText("you can still type").waitFor();
    expect(problems).toEqual([]);
  });

  it("[CLIENT-1] [CLIENT-2] [CLIENT-3] [CLIENT-8] shows why the page is not allowed, and the log has its origin once", async () => {
    const { page: shop } = await visit(1);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await say(shop, "hello");
      await shop.getByRole("alert").getByText("CORS_ALLOWED_ORIGINS has to list it").waitFor();
    }
    expect(await accessibilityViolations(shop)).toEqual([]);
    // The narrowest column of a page in which it may stand.
    for (const width of ["150px", "260px"]) {
      await shop.evaluate(`document.querySelector("voice-agent").style.width = "${width}"`);
      await keepScreenshot(shop, `embedded-${width}`);
      expect(await shop.evaluate(whatOverflows)).toEqual([]);
    }
    // Whose request for a ticket the browser does not even send.
    await shop.reload();
    await shop.evaluate('document.querySelector("voice-agent").token = () => "a token"');
    await say(shop, "hello");
    await shop.getByRole("alert").getByText("CORS_ALLOWED_ORIGINS has to list it").waitFor();
    const [line, ...others] = lines.filter((text) => text.includes("CORS_ALLOWED_ORIGINS"));
    expect(JSON.parse(line ?? "")).toMatchObject({ origin: new URL(examples[1]?.address ?? "").origin });
    expect(others).toEqual([]);
  });

  it("is drawn by the page itself where it wants to", async () => {
    const { page: own, problems } = await visit(0, "own.html");
    await own.getByLabel("Message").fill("I want to check my balance");
    await own.keyboard.press("Enter");
    await own
      .getByRole("list", { name: "Conversation" })
      .getByText(/agent: .*checking or savings/i)
      .waitFor();
    expect(problems).toEqual([]);
  });

  it("[CLIENT-5] says that one has to sign in, and talks with the token of who has", async () => {
    const { page: shop } = await visit(2);
    await say(shop, "hello");
    await shop.getByRole("alert").getByText("Sign in first").waitFor();
    const token = await identity.issueEntraToken({ sub: "una", azp: page, aud: api });
    await shop.reload();
    await shop.evaluate(
      `document.querySelector("voice-agent").token = () => Promise.resolve(${JSON.stringify(token)})`,
    );
    await say(shop, "I want to check my balance");
    await conversation(shop)
      .getByText(/checking or savings/i)
      .waitFor();
    expect(await owners(1)).toEqual(["una"]);
  });
});
