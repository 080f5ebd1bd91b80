/** Publishing versions of agents, scenarios and the table of routes. */
import { roleIsMissing, type Caller } from "@voice/shared/auth/caller";
import type { ConversationRoute } from "@voice/shared/catalog/conversation-routes";
import {
  getRelease,
  getRouteTable,
  listReleases,
  publishRelease,
  setLiveReleases,
} from "@voice/shared/contracts/http/releases";
import { BadRequestError } from "@voice/shared/platform/errors";
import type { LiveReleases, LiveShare, Release, ReleaseStore } from "@voice/shared/state/records/release-store";
import type { JsonDocument } from "@voice/shared/state/records/session-documents";
import { answer, type Route } from "../http/route.ts";
import { checkPublication } from "../services/check-publication.ts";

const listed = 50;
const noSuchVersion = "There is no such version: GET /releases lists them.";

export const releaseRoutes: readonly Route[] = [
  answer(listReleases)(async (_input, { state }) => await listOf(state.releases, await state.releases.live())),

  answer(getRelease)(async ({ params }, { state }) => {
    const release = await state.releases.get(params.version);
    if (release === undefined) throw new BadRequestError("not_found", noSuchVersion);
    return detailsOf(release);
  }),

  answer(getRouteTable)(async (_input, { releases }) => {
    const { catalog, version } = await releases.deployed();
    return { version, routes: catalog.routes.map(rowOf) };
  }),

  answer(publishRelease)(async ({ body, request }, { state, catalog, knownTools, releases }) => {
    requireMayPublish(request.caller);
    const before = await state.releases.live();
    const base = await releases.deployed();
    const { agents, scenarios } = await checkPublication(body, base, { catalog, knownTools });
    const known = base.version === 0 ? undefined : await state.releases.get(base.version);
    const release = await state.releases.add(
      {
        author: request.caller.subject,
        note: body.note,
        agents: { ...known?.agents, ...byName(agents, body.agents) },
        scenarios: { ...known?.scenarios, ...byName(scenarios, body.scenarios) },
        routes: body.route_table?.routes ?? known?.routes,
      },
      before,
    );
    await state.releases.setLive(sharedWith(release.version, body.share, base.version), before);
    return detailsOf(release);
  }),

  answer(setLiveReleases)(async ({ body, request }, { state }) => {
    requireMayPublish(request.caller);
    const before = await state.releases.live();
    requireWhole(body.live);
    for (const { version } of body.live)
      if (version !== 0 && (await state.releases.get(version)) === undefined)
        throw new BadRequestError("not_found", noSuchVersion);
    const now = await state.releases.setLive(body.live, before);
    return await listOf(state.releases, now);
  }),
];

function requireMayPublish({ isOperator, mayPublish = isOperator }: Caller): void {
  if (!mayPublish) throw roleIsMissing("This caller may not publish.", "PUBLISH_ROLE");
}

function requireWhole(live: readonly LiveShare[]): void {
  const total = live.reduce((sum, { share }) => sum + share, 0);
  const isRepeated = new Set(live.map(({ version }) => version)).size !== live.length;
  if (total === 100 && !isRepeated) return;
  throw new BadRequestError("validation_error", "The shares do not add up.", [
    {
      field: "live",
      message: isRepeated ? "Name each version once" : `Together they have to be 100 percent, and are ${total}`,
      code: "shares_not_whole",
    },
  ]);
}

function sharedWith(version: number, share: number, before: number): LiveShare[] {
  return [{ version, share }, ...(share === 100 ? [] : [{ version: before, share: 100 - share }])];
}

function byName(checked: readonly { readonly name: string }[], documents: readonly JsonDocument[]) {
  return Object.fromEntries(
    checked.flatMap(({ name }, index) => {
      const document = documents[index];
      return document === undefined ? [] : [[name.toLowerCase(), document] as const];
    }),
  );
}

async function listOf(store: Pick<ReleaseStore, "get">, { newest, live }: LiveReleases) {
  const versions = Array.from({ length: Math.min(listed, newest) }, (_, index) => newest - index);
  const releases = await Promise.all(versions.map((version) => store.get(version)));
  return {
    releases: releases.flatMap((release) => (release === undefined ? [] : [summaryOf(release)])),
    live: [...live],
  };
}

function rowOf({ written: { closed_on: closedOn, ...row } }: ConversationRoute): JsonDocument {
  return closedOn.length === 0 ? row : { ...row, closed_on: closedOn };
}

function summaryOf({ version, author, note, publishedAtMs, agents, scenarios, routes }: Release) {
  return {
    version,
    author,
    note,
    published_at: new Date(publishedAtMs).toISOString(),
    agents: Object.keys(agents),
    scenarios: Object.keys(scenarios),
    routes: routes?.length ?? null,
  };
}

function detailsOf(release: Release) {
  return {
    ...summaryOf(release),
    agent_documents: Object.values(release.agents).map((document) => ({ ...document })),
    scenario_documents: Object.values(release.scenarios).map((document) => ({ ...document })),
    route_documents: release.routes?.map((row) => ({ ...row })) ?? null,
  };
}
