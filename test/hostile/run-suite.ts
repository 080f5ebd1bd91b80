/** The whole attack: what is tried, in which order, and what was seen of it from outside. */
import { setTimeout as sleep } from "node:timers/promises";
import { protectedBy, startTokenIssuer } from "../integration/http/token-issuer.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { attackConnections } from "./attack-connections.ts";
import { attackHttp } from "./attack-http.ts";
import { attackParsers } from "./attack-parsers.ts";
import { attackWithAgents } from "./attack-agents.ts";
import { attackOthers } from "./attack-others.ts";
import { attackByReplays, replaySettings } from "./attack-replays.ts";
import { attackSpending, spendingLimits } from "./attack-spending.ts";
import { attackSockets, floodWithTexts } from "./attack-sockets.ts";
import { attackWithForgedTokens, serviceOperator, tokenSettings } from "./attack-tokens.ts";
import {
  memoryLine,
  newFigures,
  noWaiting,
  waitingLines,
  waitingOf,
  worse,
  type Figures,
  type Waiting,
} from "./figures.ts";
import { startObserver, type Observer } from "./observer.ts";
import { warmUpSize, type AttackKind, type SuitePlan, type SuiteSize } from "./suite-plan.ts";
import { startTarget, type Target } from "./target.ts";

type Report = (line: string) => void;

/** Sessions that were left are written down and let go of. */
const settlingMs = 2000;

export async function runHostileSuite(plan: SuitePlan, report: Report): Promise<Figures> {
  const figures = newFigures();
  if (plan.kinds.includes("parsers")) attackParsers(figures, plan.size.inputs);
  await using parts = new AsyncDisposableStack();
  const redis = plan.onRedis ? await startRedisServer({ args: ["--appendfsync", "everysec"] }) : undefined;
  parts.defer(() => redis?.stop());
  const cache = redis === undefined ? {} : { CACHE_HOST: "127.0.0.1", CACHE_PORT: `${redis.port}`, CACHE_TLS: "false" };
  await attackOpenService(figures, plan, cache, report);
  await attackProtectedService(figures, plan.kinds, cache);
  return figures;
}

interface Attack {
  readonly kind: AttackKind;
  readonly name: string;
  readonly run: (target: Target, figures: Figures, size: SuiteSize) => Promise<void>;
}

const attacks: readonly Attack[] = [
  {
    kind: "definitions",
    name: "definitions, bodies and queries",
    run: (target, figures, { inputs }) => attackHttp(target, figures, inputs),
  },
  {
    kind: "sockets",
    name: "messages on sockets",
    run: (target, figures, { inputs }) => attackSockets(target, figures, inputs),
  },
  {
    kind: "agents",
    name: "agents as large as they may be",
    run: (target, figures, { largeAgents }) => attackWithAgents(target, figures, largeAgents),
  },
  {
    kind: "flood",
    name: "a flood of texts",
    run: (target, figures, { floodSeconds }) => floodWithTexts(target, figures, floodSeconds),
  },
  {
    kind: "peers",
    name: "half-open, slow, deaf and refused peers",
    run: (target, figures, { connections }) => attackConnections(target, figures, connections),
  },
];

async function attackOpenService(
  figures: Figures,
  plan: SuitePlan,
  settings: Readonly<Record<string, string>>,
  report: Report,
): Promise<void> {
  const chosen = attacks.filter(({ kind }) => plan.kinds.includes(kind));
  if (chosen.length === 0) return;
  const target = await startTarget(settings);
  const observer = await startObserver(target.url);
  const remember = async (at: number) =>
    target.memory(plan.snapshots && `${plan.snapshots}/after-round-${at}.heapsnapshot`);
  try {
    // What a first conversation makes once (voices, compiled code, caches) is no answer to an attack.
    for (const attack of chosen) await attack.run(target, newFigures(), warmUpSize);
    await sleep(settlingMs);
    figures.idle = await waitingDuring(() => sleep(settlingMs), { target, observer });
    figures.memoryBefore = await remember(0);
    for (let round = 1; round <= plan.rounds; round += 1) {
      let waiting = noWaiting;
      for (const { name, run } of chosen) {
        const meanwhile = await waitingDuring(() => run(target, figures, plan.size), { target, observer });
        report([`${name}, ${figures.inputs} inputs so far`, ...waitingLines(meanwhile)].join("\n  "));
        waiting = worse(waiting, meanwhile);
      }
      await sleep(settlingMs);
      const memory = await remember(round);
      figures.rounds.push({ waiting, memory });
      if (plan.rounds > 1) report(`round ${round}: ${memoryLine(memory)}`);
    }
  } finally {
    observer.stop();
    await target.stop();
  }
}

/** How long others wait while this is done. */
async function waitingDuring(
  run: () => Promise<unknown>,
  { target, observer }: { readonly target: Target; readonly observer: Observer },
): Promise<Waiting> {
  // Earlier stalls, such as a garbage collection, are not caused by this attack.
  await target.stalls();
  await observer.late();
  await run();
  return waitingOf(await observer.late(), await target.stalls());
}

async function attackProtectedService(
  figures: Figures,
  kinds: readonly AttackKind[],
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  if (!kinds.includes("tokens") && !kinds.includes("spending")) return;
  const issuer = await startTokenIssuer();
  const protection = { ...protectedBy(issuer, tokenSettings), TENANT_CLAIM: "org", OPERATOR_SUBJECTS: serviceOperator };
  const target = await startTarget({ ...settings, ...protection, ...spendingLimits, ...replaySettings });
  try {
    if (kinds.includes("tokens")) {
      await attackWithForgedTokens(target, figures, issuer);
      await attackOthers(target, figures, issuer);
      await attackByReplays(target, figures, issuer);
    }
    if (kinds.includes("spending")) await attackSpending(target, figures, issuer);
  } finally {
    await target.stop();
    await issuer.close();
  }
}
