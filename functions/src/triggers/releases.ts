/** Publishing versions of agents and scenarios. */
import { roleIsMissing, type Caller } from "@voice/shared/auth/caller";
import { withDocuments } from "@voice/shared/catalog/released-catalogs";
import { checkSessionAgent, checkSessionScenario } from "@voice/shared/catalog/session-documents";
import type { Checked } from "@voice/shared/catalog/session-documents";
import type { Agent } from "@voice/shared/catalog/agent";
import { getRelease, listReleases, publishRelease, setLiveReleases } from "@voice/shared/contracts/http/releases";
import { BadRequestError } from "@voice/shared/platform/errors";
import { inSlices } from "@voice/shared/platform/steps";
import type { LiveReleases, LiveShare, Release, ReleaseStore } from "@voice/shared/state/records/release-store";
import type { JsonDocument } from "@voice/shared/state/records/session-documents";
import { requireValid } from "../http/document-check.ts";
import { route, type Route } from "../http/route.ts";

const listed = 50;
const noSuchVersion = "There is no such version: GET /releases lists them.";

export const releaseRoutes: readonly Route[] = [
  route(listReleases)(async (_input, { state }) => ({
    status: 200,
    body: await listOf(state.releases, await state.releases.live()),
  })),

  route(getRelease)(async ({ params }, { state }) => {
    const release = await state.releases.get(params.version);
    if (release === undefined) throw new BadRequestError("not_found", noSuchVersion);
    return { status: 200, body: detailsOf(release) };
  }),

  route(publishRelease)(async ({ body, request }, { state, catalog, knownTools, releases }) => {
    requireMayPublish(request.caller);
    const before = await state.releases.live();
    const base = await releases.deployed();
    const agents: Agent[] = [];
    for (const [index, document] of body.agents.entries()) {
      const checked = await inSlices(checkSessionAgent(document, catalog, knownTools, agents));
      agents.push(requireValid(within(`agents.${index}`, checked)));
    }
    const scenarios = body.scenarios.map((document, index) => {
      const checked = checkSessionScenario(document, withDocuments(base.catalog, agents, []), agents);
      return requireValid(within(`scenarios.${index}`, checked));
    });
    const known = base.version === 0 ? undefined : await state.releases.get(base.version);
    const release = await state.releases.add(
      {
        author: request.caller.subject,
        note: body.note,
        agents: { ...known?.agents, ...byName(agents, body.agents) },
        scenarios: { ...known?.scenarios, ...byName(scenarios, body.scenarios) },
      },
      before,
    );
    await state.releases.setLive(sharedWith(release.version, body.share, base.version), before);
    return { status: 200, body: detailsOf(release) };
  }),

  route(setLiveReleases)(async ({ body, request }, { state }) => {
    requireMayPublish(request.caller);
    const before = await state.releases.live();
    requireWhole(body.live);
    for (const { version } of body.live)
      if (version !== 0 && (await state.releases.get(version)) === undefined)
        throw new BadRequestError("not_found", noSuchVersion);
    const now = await state.releases.setLive(body.live, before);
    return { status: 200, body: await listOf(state.releases, now) };
  }),
];

function requireMayPublish({ isOperator, mayPublish = isOperator }: Caller): void {
  if (!mayPublish) throw roleIsMissing("This caller may not publish agents and scenarios.", "PUBLISH_ROLE");
}

/** Names the document beside the field. */
function within<Value>(place: string, checked: Checked<Value>): Checked<Value> {
  if (checked.ok) return checked;
  const problems = checked.problems.map((problem) => ({ ...problem, field: `${place}.${problem.field}` }));
  return { ...checked, problems };
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

function summaryOf({ version, author, note, publishedAtMs, agents, scenarios }: Release) {
  return {
    version,
    author,
    note,
    published_at: new Date(publishedAtMs).toISOString(),
    agents: Object.keys(agents),
    scenarios: Object.keys(scenarios),
  };
}

function detailsOf(release: Release) {
  return {
    ...summaryOf(release),
    agent_documents: Object.values(release.agents).map((document) => ({ ...document })),
    scenario_documents: Object.values(release.scenarios).map((document) => ({ ...document })),
  };
}
