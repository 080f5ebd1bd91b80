/**
 * The whole product in one process on one origin: the functions app served by the local functions host, the streaming
 * host on the WebSockets of the same port, both on one state. `npm start` and the end-to-end tests use it alike.
 */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { catalogLanguage } from "@voice/local-voice/rules/catalog-language";
import type { Duplex } from "node:stream";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { foreignHostProblem } from "@voice/shared/auth/foreign-host";
import { originProblem } from "@voice/shared/auth/origin";
import { knownToolsOf, loadServiceCatalog } from "@voice/shared/catalog/load-service-catalog";
import { createEnvironmentConfiguration } from "@voice/shared/config/configuration-provider";
import type { ConfigurationProvider } from "@voice/shared/config/configuration-provider";
import { identityOf } from "@voice/shared/config/load-configuration";
import type { Settings } from "@voice/shared/config/settings";
import { createAgreedClock } from "@voice/shared/platform/agreed-clock";
import { systemClock } from "@voice/shared/platform/clock";
import type { Clock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { createState } from "@voice/shared/state/create-state";
import { keepTime } from "@voice/shared/state/keep-time";
import { noTelemetry } from "@voice/shared/telemetry/telemetry";
import type { Telemetry } from "@voice/shared/telemetry/telemetry";
import type { State } from "@voice/shared/state/ports/state";
import { loadTools } from "@voice/shared/tools/load-tools";
import { composeHost } from "@voice/streaming-host/compose/host";
import { openHost } from "@voice/streaming-host/compose/open-host";
import { providersBySettings } from "@voice/streaming-host/compose/providers";
import type { LocalSpeech } from "@voice/streaming-host/compose/provider-parts";
import { requestTimes } from "@voice/streaming-host/server/accept/limit-request-time";
import { answerWithoutHandshake } from "@voice/streaming-host/server/accept/answer-without-handshake";
import { refuseUnknownPath } from "@voice/streaming-host/server/accept/refuse-upgrade";
import { provideDependencies } from "../functions/src/compose.ts";
import { loadFunctionsApp } from "./functions-host/functions-app.ts";
import { createFunctionsRequestListener } from "./functions-host/request-listener.ts";

/** Takes sockets that are not the streaming host's; false when it has nothing at that path. */
export type UpgradeListener = (request: IncomingMessage, stream: Duplex, head: Buffer) => boolean;

/** Serves what the functions app does not know; false when it has nothing there either. */
export type PageListener = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface ServiceOptions {
  readonly settings: Settings;
  /** Where the settings come from, for `/appconfig`; they are all there is where absent. */
  readonly configuration?: ConfigurationProvider | undefined;
  readonly logger: Logger;
  readonly clock?: Clock | undefined;
  /** Where absent, nothing is traced or measured. Its creator closes it. */
  readonly telemetry?: Telemetry | undefined;
  readonly catalog?: Catalog | undefined;
  /** Local engines that are already running; where absent, the service starts its own. */
  readonly localSpeech?: (() => Promise<LocalSpeech>) | undefined;
  /** The console, before the API. */
  readonly pages?: PageListener | undefined;
  /** The simulated phones, for pages of this origin. */
  readonly phones?: UpgradeListener | undefined;
  /** How long a caller may be silent; tests have less patience than people. */
  readonly idleMs?: number | undefined;
  /** A server that already listens, for callers that had to know the port first; it must have no listeners of its own. */
  readonly server?: Server | undefined;
}

export interface Service {
  readonly port: number;
  readonly catalog: Catalog;
  readonly state: State;
  /** Lets conversations say goodbye for `drainMs`, then releases everything. Idempotent. */
  close(drainMs: number): Promise<void>;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { settings, logger, telemetry = noTelemetry, pages, idleMs, localSpeech } = options;
  const ownClock = createAgreedClock(systemClock);
  const clock = options.clock ?? ownClock;
  const identity = identityOf(settings, () => import("@voice/shared/config/cloud"));
  const { tools, customers } = await loadTools(settings, { clock, logger });
  const knownTools = knownToolsOf(settings, tools);
  const catalog = options.catalog ?? (await loadServiceCatalog(settings, catalogLanguage, knownTools));
  const state = await createState(settings, { clock, logger, identity });
  const stopKeepingTime = options.clock === undefined ? await keepTime(ownClock, state, logger) : undefined;
  const configuration = options.configuration ?? createEnvironmentConfiguration(settings);
  const hasBrowserPhones = options.phones !== undefined;
  provideDependencies({ state, catalog, knownTools, clock, logger, telemetry, configuration, hasBrowserPhones });
  const [functions, composed] = await Promise.all([
    loadFunctionsApp(fileURLToPath(new URL("../functions/src/main.ts", import.meta.url))),
    openHost({ settings, state, clock, logger }, identity, telemetry).then((host) =>
      composeHost(host, {
        identity,
        catalog,
        tools,
        customers,
        idleMs,
        providers: providersBySettings(catalog, localSpeech),
      }),
    ),
  ]);
  const answerFunction = createFunctionsRequestListener(functions, {
    logger,
    problemOfHost: (host) => foreignHostProblem(host, settings),
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (pages?.(request, response) === true || answerWithoutHandshake(request, response)) return;
      if (!(await answerFunction(request, response))) response.writeHead(404, { "content-length": "0" }).end();
    } catch (error) {
      logger.debug({ error }, "a request ended early");
      response.destroy();
    }
  }

  const server = options.server ?? createServer(requestTimes);
  server.on("request", (request, response) => void answer(request, response));
  const isOfThisOrigin = ({ headers }: IncomingMessage): boolean =>
    foreignHostProblem(headers.host, settings) === undefined &&
    originProblem((name) => [headers[name]].flat()[0], settings) === undefined;
  server.on("upgrade", (request, socket, head) => {
    if (options.phones !== undefined && isOfThisOrigin(request) && options.phones(request, socket, head)) return;
    if (!composed.host.handleUpgrade(request, socket, head)) refuseUnknownPath(socket, request);
  });

  async function shutDown(drainMs: number): Promise<void> {
    server.close();
    await composed.close(drainMs);
    server.closeAllConnections();
    await functions.close();
    stopKeepingTime?.();
    await state.close();
  }

  let closing: Promise<void> | undefined;
  const close = (drainMs: number): Promise<void> => (closing ??= shutDown(drainMs));
  try {
    if (!server.listening) await listen(server, settings);
  } catch (error) {
    await close(0);
    throw error;
  }
  return { port: portOf(server), catalog, state, close };
}

export async function listen(server: Server, { port, host }: Pick<Settings, "port" | "host">): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no TCP port");
  return address.port;
}
