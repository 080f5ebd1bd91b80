/** The checks of GET /readiness. */
import { authConfigurationProblem } from "@voice/shared/auth/auth-configuration";
import { destinationsNow } from "@voice/shared/calls/destinations-now";
import { openAccessWarning } from "@voice/shared/auth/open-access";
import { findScenario } from "@voice/shared/catalog/catalog";
import { describePart } from "@voice/shared/config/describe-parts";
import { partsOf } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { VoiceError } from "@voice/shared/platform/errors";
import { wordOf } from "@voice/shared/platform/foreign-facts";
import { countsOnRecordings } from "@voice/shared/recordings/create-recording-store";
import type { DeadLetter } from "@voice/shared/state/ports/event-bus";
import type { HostHeartbeat, ProviderKind } from "@voice/shared/state/ports/host-registry";
import type { Dependencies } from "../dependencies.ts";
import { describeBacklog } from "./describe-backlog.ts";
import { scenarioNameOf } from "./scenario-name.ts";
import { judgeProvider } from "./fleet.ts";
import { Unhealthy, type ReadinessCheck } from "./readiness.ts";

/** Each check of the store is one round trip; everything else is computed. */
const timeoutMs = 1000;
/** A slower store would cause audible delays in conversations. */
const slowCacheMs = 500;
/** Of events that could not be handled, this many are counted. */
const mostLetters = 10;

export function readinessChecks(dependencies: Dependencies): ReadinessCheck[] {
  const { clock, configuration, settings, state } = dependencies;
  // Several checks read the heartbeats; one round trip serves them all.
  let heartbeats: Promise<readonly HostHeartbeat[]> | undefined;
  const hosts = (): Promise<readonly HostHeartbeat[]> => (heartbeats ??= state.hosts.list());
  const provider = async (kind: ProviderKind): Promise<string> => {
    const verdict = judgeProvider(await hosts(), kind);
    if (!verdict.healthy) throw new Unhealthy(verdict.error);
    return verdict.details;
  };
  const critical = (component: string, run: () => Promise<string>): ReadinessCheck => ({
    component,
    isCritical: true,
    timeoutMs,
    run,
  });
  const reported = (check: ReadinessCheck): ReadinessCheck => ({ ...check, isFromStore: true });
  const optional = (component: string, run: () => Promise<string>): ReadinessCheck => ({
    ...critical(component, run),
    isCritical: false,
  });
  return [
    critical("cache", async () => {
      const { latencyMs } = await state.ping();
      if (latencyMs > slowCacheMs) throw new Unhealthy(`answered after ${Math.round(latencyMs)} ms`);
      return state.kind === "redis"
        ? `Redis answered in ${latencyMs.toFixed(1)} ms`
        : "kept in the memory of this process, which forgets it when it ends";
    }),
    reported(critical("language_model", () => provider("languageModel"))),
    reported(
      critical("speech_services", async () => {
        const [recognition, synthesis] = await Promise.all([provider("recogniser"), provider("synthesiser")]);
        return `recognition ${recognition}, synthesis ${synthesis}`;
      }),
    ),
    reported(
      optional("comm_caller", async () => {
        const control = await provider("callControl");
        return `${callerDescription(settings)}; ${control}`;
      }),
    ),
    critical("agents", async () => agentsDescription(dependencies)),
    critical("auth_configuration", () => {
      const problem = authConfigurationProblem(settings);
      if (problem !== undefined) throw new Unhealthy(problem);
      const keys = dependencies.keysProblem();
      if (keys?.letsIn === false) throw new Unhealthy(keys.text);
      return Promise.resolve(
        settings.enableAuthValidation
          ? `callers sign in; allowed client applications: ${settings.allowedClientIds.length}${keys === undefined ? "" : `. Warning: ${keys.text}`}`
          : `nobody has to sign in${warningAfter(settings)}`,
      );
    }),
    // Events are about calls. Without a communication service there are none, and conversations in browsers need none.
    (partsOf(settings).calls.kind === "none" ? optional : critical)("event_system", async () => {
      const health = await state.events.health();
      if (!health.isHealthy) throw new Unhealthy("the event system's store is unreachable");
      if (health.handlersCount === 0) throw new Unhealthy("no handler is listening");
      const [letters, backlog] = await Promise.all([state.events.deadLetters(mostLetters), state.backlog()]);
      const waiting = describeBacklog(backlog, settings, clock.wallNow());
      return `a host takes them (${health.handlersCount} handlers)${warningOf(letters)}${waiting}`;
    }),
    // No conversation waits for its recording (REC-6), so none is refused for it.
    optional("recording_storage", () => checkRecordings(dependencies)),
    optional("app_configuration", () => {
      const { enabled, loaded, lastError, keyCount } = configuration.status();
      if (enabled && !loaded) throw new Unhealthy(lastError ?? "not loaded");
      return Promise.resolve(enabled ? `${keyCount} settings loaded` : "settings come from the environment");
    }),
  ];
}

async function checkRecordings({ recordings, settings }: Dependencies): Promise<string> {
  const { detail } = describePart(settings, "recordings");
  if (!countsOnRecordings(settings)) return detail;
  try {
    await (await recordings())?.check();
  } catch (error) {
    if (error instanceof VoiceError && error.code === "upstream_unavailable")
      throw new Unhealthy(`cannot be written: ${detail}${codeOf(error.cause)}`);
    throw error;
  }
  return detail;
}

/** ` (ENOSPC)`, ` (AuthorizationFailure)`: a full disk looks like a wrong permission without it. */
function codeOf(cause: unknown): string {
  const code = wordOf(cause instanceof Error && "code" in cause ? cause.code : undefined);
  return code === undefined ? "" : ` (${code})`;
}

/** Readiness is open to everyone: the log has the ids of the calls. */
function warningOf([newest, ...others]: readonly DeadLetter[]): string {
  if (newest === undefined) return "";
  const count = others.length + 1;
  const many = `${count === mostLetters ? "at least " : ""}${count} event${count === 1 ? "" : "s"}`;
  const what = `${newest.event?.type ?? "unreadable"} at ${new Date(newest.timestampMs).toISOString()}`;
  return `. Warning: ${many} could not be handled in the last week, the newest is ${what}; the log names the calls ("an event was given up")`;
}

/** Open access may be intended, so it is reported but not counted as a fault. */
function warningAfter(settings: Settings): string {
  const warning = openAccessWarning(settings);
  return warning === undefined ? "" : `. Warning: ${warning}`;
}

/** Never shows the whole number, because readiness is open to everyone. */
function callerDescription(settings: Settings): string {
  const { detail: calls } = describePart(settings, "calls");
  const number = settings.commPhoneNumber;
  if (number === undefined) return calls;
  const nowhere = destinationsNow(settings) === undefined ? "; places none until CALL_ALLOWED_DESTINATIONS is set" : "";
  return `${calls}, calling from ****${number.slice(-4)}${nowhere}`;
}

function agentsDescription({ catalog, settings }: Dependencies): string {
  const names = [...catalog.agents.values()].map((agent) => agent.name);
  if (names.length === 0) throw new Unhealthy("no agent is loaded");
  const scenario = findScenario(catalog, scenarioNameOf(settings, catalog));
  if (scenario === undefined) throw new Unhealthy(`there is no scenario "${scenarioNameOf(settings, catalog)}"`);
  return `${names.length} agents; conversations begin with ${scenario.startAgent}, in the scenario ${scenario.name}`;
}
