/** The whole attack: what is tried, in which order, and what was seen of it from outside. */
import { startTokenIssuer } from "../integration/http/token-issuer.ts";
import { attackConnections } from "./attack-connections.ts";
import { attackHttp } from "./attack-http.ts";
import { attackParsers } from "./attack-parsers.ts";
import { attackSockets, floodWithTexts } from "./attack-sockets.ts";
import { attackWithForgedTokens, tokenSettings } from "./attack-tokens.ts";
import { newFigures, type Figures } from "./figures.ts";
import { startObserver } from "./observer.ts";
import { startTarget, type Target } from "./target.ts";

export interface SuiteSize {
  /** Random inputs of each kind, beside the corpus. */
  readonly inputs: number;
  /** Peers that stay connected, of each kind. */
  readonly connections: number;
  readonly floodSeconds: number;
}

export const shortSuite: SuiteSize = { inputs: 60, connections: 20, floodSeconds: 2 };
export const fullSuite: SuiteSize = { inputs: 1500, connections: 100, floodSeconds: 15 };

export async function runHostileSuite(size: SuiteSize, report: (line: string) => void): Promise<Figures> {
  const figures = newFigures();
  attackParsers(figures, size.inputs);
  await attackOpenService(figures, size, report);
  await attackProtectedService(figures);
  return figures;
}

async function attackOpenService(figures: Figures, size: SuiteSize, report: (line: string) => void): Promise<void> {
  const target = await startTarget({});
  const observer = await startObserver(target.url);
  const attacks: readonly (readonly [string, () => Promise<void>])[] = [
    ["definitions, bodies and queries", () => attackHttp(target, figures, size.inputs)],
    ["messages on sockets", () => attackSockets(target, figures, size.inputs)],
    ["a flood of texts", () => floodWithTexts(target, figures, size.floodSeconds)],
    ["half-open, slow, deaf and refused peers", () => attackConnections(target, figures, size.connections)],
  ];
  try {
    await warmUp(target);
    await pause(1000);
    await observer.longestMs();
    await pause(2000);
    figures.idleStallMs = await observer.longestMs();
    figures.memoryBefore = target.memoryBytes();
    for (const [name, attack] of attacks) {
      await attack();
      const stallMs = await observer.longestMs();
      figures.longestStallMs = Math.max(figures.longestStallMs, stallMs);
      report(`${name}: ${figures.inputs} inputs so far, longest stall ${stallMs.toFixed(1)} ms`);
    }
    await pause(3000);
    figures.memoryAfter = target.memoryBytes();
  } finally {
    observer.stop();
    await target.stop();
  }
}

/** What a first conversation makes once (voices, vocabularies, compiled code) is no answer to an attack. */
async function warmUp(target: Target): Promise<void> {
  const figures = newFigures();
  await floodWithTexts(target, figures, 1);
  await fetch(`${target.url}/api/v1/agents`).then((response) => response.arrayBuffer());
}

async function attackProtectedService(figures: Figures): Promise<void> {
  const issuer = await startTokenIssuer();
  const { tenant, backend, client, resource } = tokenSettings;
  const target = await startTarget({
    ENABLE_AUTH_VALIDATION: "true",
    BACKEND_AUTH_CLIENT_ID: backend,
    CLOUD_TENANT_ID: tenant,
    ALLOWED_CLIENT_IDS: client,
    AUTH_JWT_ISSUER: issuer.issuer,
    AUTH_JWKS_URL: issuer.jwksUrl,
    COMM_RESOURCE_ID: resource,
    COMM_JWT_ISSUER: issuer.issuer,
    COMM_JWKS_URL: issuer.jwksUrl,
  });
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
