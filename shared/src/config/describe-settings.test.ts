import { expect, it } from "vitest";
import { describeSettings } from "./describe-settings.ts";
import { loadSettings } from "./load.ts";
import { namedSettings } from "./settings.ts";

const settings = loadSettings({
  COMM_CALL_TIMEOUT: "30",
  CLOUD_SPEECH_REGION: "westeurope",
  CLOUD_SPEECH_KEY: "hunter2",
  CORS_ALLOWED_ORIGINS: "https://a.example,https://b.example",
});
const described = describeSettings(settings);
const of = (wanted: string) => described.find(({ name }) => name === wanted);

it("describes every setting with its value, and whether somebody has set it", () => {
  expect(described.map(({ name }) => name)).toEqual(namedSettings.map(({ name }) => name));
  expect(of("COMM_CALL_TIMEOUT")).toMatchObject({ value: "30000 ms", isChanged: true });
  expect(of("MAX_SESSIONS")).toMatchObject({ value: String(settings.maxSessions) });
  expect(of("CLOUD_SPEECH_REGION")).toMatchObject({ area: "Cloud", value: "westeurope", isChanged: true });
  expect(of("CORS_ALLOWED_ORIGINS")).toMatchObject({ value: "https://a.example, https://b.example" });
  expect(of("ENVIRONMENT")).toMatchObject({ value: "development", isChanged: false });
  expect(of("CACHE_HOST")).toMatchObject({ value: undefined, isChanged: false });
});

it("shows the pairs of a setting that lists some, and that they are set", () => {
  const pairs = describeSettings(
    loadSettings({ COMM_DESTINATIONS: "person=+12025550123", COMM_SCENARIOS: "+12025550100=insurance/claims" }),
  );
  expect(pairs.find(({ name }) => name === "COMM_DESTINATIONS")).toMatchObject({
    value: '{"person":"+12025550123"}',
    isChanged: true,
  });
  expect(pairs.find(({ name }) => name === "COMM_SCENARIOS")).toMatchObject({
    value: '{"+12025550100":{"scenario":"insurance","agent":"claims"}}',
    isChanged: true,
  });
  expect(of("COMM_DESTINATIONS")).toMatchObject({ value: "{}", isChanged: false });
});

it("says of a secret only that it is set", () => {
  expect(of("CLOUD_SPEECH_KEY")).toMatchObject({ value: undefined, isSecret: true, isChanged: true });
  expect(JSON.stringify(described)).not.toContain("hunter2");
});

it("shows where something is called, and no key that somebody wrote beside it", () => {
  const servers = [
    { name: "shop", url: "https://shop.example/mcp?code=hunter2", headers: { Authorization: "Bearer hunter2" } },
    { name: "bank", url: "https://bank.example/mcp", headers: { Authorization: "Bearer {{ secrets.BANK }}" } },
    { name: "stock", command: "node", args: ["stock.mjs", "--key=hunter2"], env: { KEY: "hunter2" } },
  ];
  const shown = describeSettings(
    loadSettings({
      MCP_SERVERS: JSON.stringify(servers),
      TOOL_SECRETS: "BANK=hunter2",
      COMM_HOLD_AUDIO: "https://files.example/hold.wav?sig=hunter2",
    }),
  );
  expect(JSON.stringify(shown)).not.toContain("hunter2");
  const valueOf = (wanted: string) => shown.find(({ name }) => name === wanted)?.value;
  expect(valueOf("COMM_HOLD_AUDIO")).toBe("https://files.example/hold.wav?…");
  expect(JSON.parse(valueOf("MCP_SERVERS") ?? "")).toEqual([
    { name: "shop", url: "https://shop.example/mcp?…", headers: { Authorization: "…" } },
    { name: "bank", url: "https://bank.example/mcp", headers: { Authorization: "{{ secrets.BANK }}" } },
    { name: "stock", command: "node", args: ["…", "…"], env: { KEY: "…" } },
  ]);
});
