/** The whole HTTP API on a loopback port, over a state that the test owns. */
import { createEnvironmentConfiguration } from "@voice/shared/config/configuration-provider";
import { loadSettings, type Environment } from "@voice/shared/config/load";
import { systemClock } from "@voice/shared/platform/clock";
import { silentLogger } from "@voice/shared/platform/logger";
import { createMemoryState } from "@voice/shared/state/memory/create-memory-state";
import type { State } from "@voice/shared/state/ports/state";
import { serveFunctions } from "@voice/local/functions-host/serve";
import { provideDependencies, type Parts } from "../../../functions/src/compose.ts";
import { catalogOf } from "../../support/built-in-catalog.ts";
import { functionsApp } from "../../support/functions-app.ts";

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed when it is JSON; the matchers take it from there. */
  readonly body: unknown;
}

export interface Api {
  readonly url: string;
  readonly state: State;
  /** `body` is sent as JSON, a string as it is. */
  readonly call: (
    method: string,
    target: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ApiAnswer>;
  close(): Promise<void>;
}

export async function startApi(environment: Environment = {}, parts: Partial<Parts> = {}): Promise<Api> {
  const loaded = await functionsApp();
  const state = parts.state ?? createMemoryState({ clock: systemClock });
  const settings = loadSettings(environment);
  provideDependencies({
    clock: systemClock,
    logger: silentLogger,
    configuration: createEnvironmentConfiguration(settings),
    catalog: await catalogOf(settings),
    ...parts,
    state,
  });
  const served = await serveFunctions({ ...loaded, close: () => Promise.resolve() });
  return {
    url: served.url,
    state,
    async call(method, target, body, headers = {}) {
      const response = await fetch(served.url + target, {
        method,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        redirect: "manual",
      });
      const text = await response.text();
      const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json") === true;
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
    },
    async close() {
      await served.close();
      await state.close();
    },
  };
}
