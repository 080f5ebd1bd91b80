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

/** Of a service in production that has its parts in the cloud and places calls, but nowhere to keep recordings. */
export const productionSettings: Environment = {
  ENVIRONMENT: "production",
  DEMO_ENABLED: "true",
  ALLOW_UNAUTHENTICATED_PRODUCTION: "true",
  BASE_URL: "https://api.example",
  COMM_CONNECTION_STRING: "endpoint=https://c;accesskey=k",
  COMM_PHONE_NUMBER: "+14255550100",
  COMM_RESOURCE_ID: "11111111-1111-4111-8111-111111111111",
  COMM_WEBHOOK_SECRET: "open sesame",
  CLOUD_OPENAI_ENDPOINT: "https://o.example",
  CLOUD_OPENAI_DEPLOYMENT: "d",
  CLOUD_SPEECH_REGION: "westeurope",
  CLOUD_SPEECH_RESOURCE_ID: "/subscriptions/x",
  CACHE_HOST: "127.0.0.1",
};

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
