/** The whole attack: what is tried, in which order, and what was seen of it from outside. */
import { protectedBy, startTokenIssuer } from "../integration/http/token-issuer.ts";
import { attackConnections } from "./attack-connections.ts";
import { attackHttp } from "./attack-http.ts";
import { attackParsers } from "./attack-parsers.ts";
import { attackWithAgents } from "./attack-agents.ts";
import { attackSockets, floodWithTexts } from "./attack-sockets.ts";
import { attackWithForgedTokens, tokenSettings } from "./attack-tokens.ts";
import { memoryOf, newFigures, type Figures } from "./figures.ts";
import { startObserver, type Observer } from "./observer.ts";
import { startTarget, type Target } from "./target.ts";

/** Sessions that were left are written down and let go of. */
const settlingMs = 2000;

export interface SuiteSize {
  /** Random inputs of each kind, beside the corpus. */
  readonly inputs: number;
  /** Peers that stay connected, of each kind. */
  readonly connections: number;
  readonly floodSeconds: number;
  /** Of the agents that are as large as they may be. */
  readonly largeAgents: number;
}

const warmUpSuite: SuiteSize = { inputs: 20, connections: 5, floodSeconds: 1, largeAgents: 0 };
export const shortSuite: SuiteSize = { inputs: 60, connections: 20, floodSeconds: 2, largeAgents: 1 };
export const fullSuite: SuiteSize = { inputs: 1500, connections: 100, floodSeconds: 15, largeAgents: 4 };

export async function runHostileSuite(size: SuiteSize, report: (line: string) => void, rounds = 1): Promise<Figures> {
  const figures = newFigures();
  attackParsers(figures, size.inputs);
  await attackOpenService(figures, size, report, rounds);
  await attackProtectedService(figures);
  return figures;
}

type Attack = readonly [name: string, run: () => Promise<void>];

function attacksOf(target: Target, figures: Figures, size: SuiteSize): readonly Attack[] {
  return [
    ["definitions, bodies and queries", () => attackHttp(target, figures, size.inputs)],
    ["messages on sockets", () => attackSockets(target, figures, size.inputs)],
    ["agents as large as they may be", () => attackWithAgents(target, figures, size.largeAgents)],
    ["a flood of texts", () => floodWithTexts(target, figures, size.floodSeconds)],
    ["half-open, slow, deaf and refused peers", () => attackConnections(target, figures, size.connections)],
  ];
}

async function attackOpenService(
  figures: Figures,
  size: SuiteSize,
  report: (line: string) => void,
  rounds: number,
): Promise<void> {
  const target = await startTarget({});
  const observer = await startObserver(target.url);
  try {
    // What a first conversation makes once (voices, compiled code, caches) is no answer to an attack.
    for (const [, attack] of attacksOf(target, newFigures(), warmUpSuite)) await attack();
    await pause(settlingMs);
    await observer.latestFrameMs();
    await pause(settlingMs);
    figures.idleLatestFrameMs = await observer.latestFrameMs();
    figures.memoryBefore = await target.probe();
    await observer.latestFrameMs();
    for (let round = 1; round <= rounds; round += 1) {
      for (const attack of attacksOf(target, figures, size))
        await attackOnce(attack, { target, observer, figures }, report);
      await pause(settlingMs);
      figures.memoryAfter = await target.probe();
      if (rounds > 1) report(`memory after round ${round}: ${memoryOf(figures.memoryAfter)}`);
    }
  } finally {
    observer.stop();
    await target.stop();
  }
}

async function attackOnce(
  [name, attack]: Attack,
  { target, observer, figures }: { target: Target; observer: Observer; figures: Figures },
  report: (line: string) => void,
): Promise<void> {
  await attack();
  const lateMs = await observer.latestFrameMs();
  const { longestBusyMs } = await target.probe();
  await observer.latestFrameMs(); // the probe itself collects garbage
  figures.latestFrameMs = Math.max(figures.latestFrameMs, lateMs);
  figures.longestBusyMs = Math.max(figures.longestBusyMs, longestBusyMs);
  const late = `latest frame of another caller ${lateMs.toFixed(1)} ms`;
  report(`${name}: ${figures.inputs} inputs so far, ${late}, busy for ${longestBusyMs.toFixed(1)} ms at most`);
}

async function attackProtectedService(figures: Figures): Promise<void> {
  const issuer = await startTokenIssuer();
  const target = await startTarget(protectedBy(issuer, tokenSettings));
  try {
    await attackWithForgedTokens(target, figures, issuer);
  } finally {
    await target.stop();
    await issuer.close();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
