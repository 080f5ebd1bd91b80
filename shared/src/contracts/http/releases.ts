/** Publishing: agents, scenarios and a table of routes that stand over the catalog's files, as versions that are shared out and rolled back. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { freeForm, timestampField } from "./fields.ts";

const params = z.object({ version: z.coerce.number().int().min(1).max(1_000_000) });

const release = z
  .object({
    version: z.int(),
    author: z.string().describe("The subject of who published it."),
    note: z.string(),
    published_at: timestampField,
    agents: z.array(z.string()).describe("Those that stand over the files, also from versions before."),
    scenarios: z.array(z.string()),
    routes: z.int().nullable().describe("Rows of its table of routes; null where that of the files counts."),
  })
  .meta({ id: "Release" });

const liveShare = z.strictObject({
  version: z.int().min(0).describe("0: the files alone."),
  share: z.int().min(1).max(100).describe("Percent of new conversations."),
});

const live = z.array(liveShare).min(1).max(5).describe("Together 100 percent.");

export const releaseList = z
  .object({ releases: z.array(release).describe("The newest 50, the newest first."), live })
  .meta({ id: "ReleaseList" });

export const releaseDetails = z
  .object({
    ...release.shape,
    agent_documents: z.array(freeForm).describe("As `POST /agents` takes them."),
    scenario_documents: z.array(freeForm).describe("As `POST /scenarios` takes them."),
    route_documents: z
      .array(freeForm)
      .nullable()
      .describe("As in routes.yaml; null where the table of the files counts."),
  })
  .meta({ id: "ReleaseDetails" });

/** The table is read and sent back as it is. */
export const routeTable = z
  .strictObject({
    version: z
      .int()
      .min(0)
      .describe("The version that the table is of. With another one deployed, publishing the table is a conflict."),
    routes: z.array(freeForm).max(1000).describe("As in routes.yaml; all of them."),
  })
  .meta({ id: "RouteTable" });

export const publishRequest = z
  .strictObject({
    note: z.string().trim().min(1).max(500).describe("What was changed, and why."),
    agents: z.array(freeForm).max(64).default([]).describe("Whole definitions, as `POST /agents` takes them."),
    scenarios: z.array(freeForm).max(64).default([]).describe("Whole definitions, as `POST /scenarios` takes them."),
    route_table: routeTable.optional().describe("Takes the place of the table that is deployed."),
    share: z
      .int()
      .min(1)
      .max(100)
      .default(100)
      .describe("Percent of new conversations; the rest stays with what was deployed."),
  })
  .meta({ id: "PublishRequest" });

export const liveRequest = z.strictObject({ live }).meta({ id: "LiveReleasesRequest" });

const problems = ["conflict", "cache_connection_failed"] as const;

export const listReleases = defineEndpoint({
  name: "releasesList",
  at: "GET /releases",
  access: "service-operator",
  summary: "What was published, and which share of new conversations has it",
  responses: { 200: { description: "Versions.", schema: releaseList } },
  problems,
});

export const getRelease = defineEndpoint({
  name: "releasesGet",
  at: "GET /releases/{version}",
  access: "service-operator",
  summary: "A published version with its documents",
  params,
  responses: { 200: { description: "As it was published.", schema: releaseDetails } },
  problems: ["not_found", ...problems],
});

export const getRouteTable = defineEndpoint({
  name: "routesGet",
  at: "GET /routes",
  access: "service-operator",
  summary: "Which number or channel begins with which scenario, as it is deployed",
  responses: { 200: { description: "Of the version that most new conversations have.", schema: routeTable } },
  problems,
});

export const publishRelease = defineEndpoint({
  name: "releasesPublish",
  at: "POST /releases",
  access: "service-operator",
  summary: "Publishes agents, scenarios and the table of routes for new conversations",
  description:
    "For those with PUBLISH_ROLE. The documents stand over the catalog's files, and over what was published before. Conversations that have begun keep their version.",
  body: publishRequest,
  responses: { 200: { description: "The new version.", schema: releaseDetails } },
  problems,
});

export const setLiveReleases = defineEndpoint({
  name: "releasesSetLive",
  at: "PUT /releases/live",
  access: "service-operator",
  summary: "Shares new conversations out among versions, or rolls back to one",
  description: "For those with PUBLISH_ROLE.",
  body: liveRequest,
  responses: { 200: { description: "What is live now.", schema: releaseList } },
  problems: ["not_found", ...problems],
});
