/** What the guide promises of a size is what the table of sizes says, and what the templates deploy is enough for it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { readSizes, type Size } from "./sizes.ts";
import { infra } from "./templates.ts";

const { perCall, grantedByDefault, development, production } = readSizes();
const tokensOfCallMinute = perCall.turnsPerMinute * perCall.tokensPerTurn;
const read = (name: string): string =>
  readFileSync(path.join(infra, "..", name), "utf8").replaceAll(/[ -]*(\||\n)[ -]*/g, "$1");
const number = (value: number): string => new Intl.NumberFormat("en").format(value);

it("the guide for deployment has the table of sizes", () => {
  const row = (name: string, of: (size: Size) => number | string): string =>
    [
      `|${name}`,
      ...[development, production].map(of).map((value) => (typeof value === "number" ? number(value) : value)),
      "",
    ].join("|");
  const rows = [
    row("calls at a time", ({ calls }) => calls),
    row("tokens of the language model a minute", ({ calls }) => calls * tokensOfCallMinute),
    row("of its fallback, and for how many calls", ({ fallbackCalls }) =>
      fallbackCalls === 0 ? "none" : `${number(fallbackCalls * tokensOfCallMinute)}, ${fallbackCalls}`,
    ),
    row("requests to the model a minute", ({ calls }) => calls * perCall.turnsPerMinute),
    row(`recognitions at a time (${grantedByDefault.recognitions} by default)`, ({ calls }) => calls),
    row("hosts, at least and at most", ({ hosts }) => `${hosts.minReplicas}, ${hosts.maxReplicas}`),
    row("conversations that a host takes", ({ hosts }) => hosts.maxSessions),
    row("spread over the zones of the region", ({ zoneRedundant }) => (zoneRedundant ? "yes" : "no")),
    row("Front Door", ({ frontDoorSku }) => frontDoorSku),
    row("gigabytes of log in a day, at most", ({ logGigabytesPerDay }) => logGigabytesPerDay),
  ];
  expect(read("docs/deployment.md")).toContain(rows.join("\n"));
  expect(read("docs/deployment.md")).toContain(
    `${perCall.turnsPerMinute} turns a minute, ${number(perCall.tokensPerTurn)} tokens a turn`,
  );
});

it("the page on scale says with the same figures where a quota ends", () => {
  const scale = read("docs/benchmarks.md");
  const ends = Math.floor(grantedByDefault.voiceLiveTokensPerMinute / tokensOfCallMinute);
  expect(scale).toContain(`|${ends}|Voice Live's ${number(grantedByDefault.voiceLiveTokensPerMinute)} tokens a minute`);
  expect(scale).toContain(`|${grantedByDefault.recognitions}|recognition|`);
});

it("deploys, by the compiler's own arithmetic, tokens for all calls that a size promises", () => {
  const deployment = z.object({
    type: z.literal("Microsoft.CognitiveServices/accounts/deployments"),
    name: z.string(),
    sku: z.object({ capacity: z.number() }),
  });
  for (const [name, size] of [
    ["dev", development],
    ["prod", production],
  ] as const) {
    const snapshot = z
      .object({ predictedResources: z.array(z.unknown()) })
      .parse(JSON.parse(readFileSync(path.join(infra, `main.${name}.snapshot.json`), "utf8")));
    const capacities = snapshot.predictedResources.flatMap((resource) => {
      const parsed = deployment.safeParse(resource);
      return parsed.success
        ? [{ isFallback: parsed.data.name.endsWith("/fallback"), tokens: parsed.data.sku.capacity * 1000 }]
        : [];
    });
    const deployed = [{ isFallback: false, tokens: size.calls * tokensOfCallMinute }];
    if (size.fallbackCalls > 0) deployed.push({ isFallback: true, tokens: size.fallbackCalls * tokensOfCallMinute });
    expect(capacities).toEqual(deployed);
  }
});
