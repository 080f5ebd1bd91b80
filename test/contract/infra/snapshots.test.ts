/** What the compiler makes of the templates, from its committed snapshots: `.ci/bicep` compiles and compares them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { infra, templateAt, templates } from "./templates.ts";

const resourceSchema = z.object({
  type: z.string(),
  apiVersion: z.string(),
  properties: z.object({ publicNetworkAccess: z.string().nullish(), networkACLs: z.unknown().optional() }).optional(),
});
const snapshotSchema = z.object({
  predictedResources: z.array(resourceSchema),
  diagnostics: z.array(z.string()),
  outputs: z.record(z.string(), z.unknown()),
});

const snapshotOf = (size: string) =>
  snapshotSchema.parse(JSON.parse(readFileSync(path.join(infra, `main.${size}.snapshot.json`), "utf8")));

const typesOf = (resources: readonly { readonly type: string; readonly apiVersion: string }[]): string[] =>
  [...new Set(resources.map(({ type, apiVersion }) => `${type}@${apiVersion}`))].toSorted();

/** All that `azd provision` makes; what follows it is in templates of its own. */
const provisioned = templates.filter(({ path: at }) => at === "main.bicep" || at.startsWith("modules/"));

describe("the compiler's snapshots", () => {
  it.each(["dev", "prod"])("leave nothing open that has to be known before the deployment of %s", (size) => {
    expect(snapshotOf(size).diagnostics).toEqual([]);
  });

  it("hold every kind of resource that the templates make, as of now", () => {
    const inTemplates = provisioned.flatMap(({ resources }) =>
      resources.filter(({ isExisting }) => !isExisting).map(({ type, apiVersion }) => ({ type, apiVersion })),
    );
    expect(typesOf(snapshotOf("prod").predictedResources)).toEqual(typesOf(inTemplates));
  });

  it("have the outputs that the templates declare", () => {
    const declared = templateAt("main.bicep").outputs;
    for (const size of ["dev", "prod"]) {
      expect(Object.keys(snapshotOf(size).outputs).toSorted()).toEqual([...declared].toSorted());
    }
  });

  it("close production's services, and put them behind private addresses", () => {
    const open = snapshotOf("prod").predictedResources.filter(
      ({ properties }) => properties?.publicNetworkAccess === "Enabled",
    );
    // The regional speech hosts do not go through a private endpoint, dashboards watch from outside, and azd deploys the functions.
    const [speech, liveUpdates] = open;
    expect(open.map(({ type }) => type)).toEqual([
      "Microsoft.CognitiveServices/accounts",
      "Microsoft.SignalRService/webPubSub",
      "Microsoft.Web/sites",
    ]);
    expect(speech?.properties?.networkACLs).toBeUndefined();
    expect(liveUpdates?.properties?.networkACLs).toEqual({
      defaultAction: "Allow",
      publicNetwork: { deny: ["RESTAPI", "ServerConnection", "Trace"] },
    });
    expect(snapshotOf("prod").predictedResources.filter(({ type }) => type.endsWith("/privateEndpoints"))).toHaveLength(
      7,
    );
    // Front Door's firewall is in no network.
    const inNetwork = snapshotOf("dev").predictedResources.filter(({ type }) => type.startsWith("Microsoft.Network/"));
    expect(inNetwork.map(({ type }) => type)).toEqual(["Microsoft.Network/FrontDoorWebApplicationFirewallPolicies"]);
  });

  it("hold no secret", () => {
    for (const size of ["dev", "prod"]) {
      expect(JSON.stringify(snapshotOf(size))).not.toMatch(/AccountKey|SharedAccess|listKeys|"secureString"/i);
    }
  });
});
