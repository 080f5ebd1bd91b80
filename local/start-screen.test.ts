import { shownIncomingCallUrl } from "@voice/shared/calls/webhook-urls";
import { expect, it } from "vitest";
import { startScreen } from "./start-screen.ts";

const screen = (url: string, phoneUrl: string | undefined, incomingCallUrl?: string): string =>
  startScreen({
    url,
    phoneUrl,
    incomingCallUrl,
    parts: [{ name: "state", kind: "local", detail: "memory of this process" }],
    agents: 9,
    scenarios: 3,
    hasConsole: true,
    hasState: true,
    startedInMs: 1700,
  });

it("prints commands that can be typed as they are on the usual ports", () => {
  const usual = screen("http://localhost:8080", "http://127.0.0.1:8090");
  expect(usual).toContain('npm run caller -- --say "I want to check my balance" --say "I lost my card"\n');
  expect(usual).toContain('npm run phone -- --inbound --say "I lost my card"\n');
});

it("says where the service and its phones are when they are elsewhere", () => {
  const other = screen("http://localhost:8081", "http://127.0.0.1:40123");
  expect(other).toContain('--say "I lost my card" --url http://localhost:8081\n');
  expect(other).toContain('--say "I lost my card" --url http://127.0.0.1:40123\n');
});

it("says which address the event subscription needs, when calls come from the real service", () => {
  const address = shownIncomingCallUrl("https://voice.example.com", { commWebhookSecrets: ["hunter2", "hunter1"] });
  const real = screen("http://localhost:8080", undefined, address);
  expect(real).toContain("https://voice.example.com/api/v1/calls/answer?secret=<COMM_WEBHOOK_SECRET>");
  expect(real).not.toContain("hunter");
});
