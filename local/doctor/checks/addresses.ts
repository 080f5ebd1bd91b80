/** The public addresses: the API answers at BASE_URL, and a host upgrades to a WebSocket at STREAMING_HOST_URL. */
import { lookup } from "node:dns/promises";
import { isLoopback } from "@voice/shared/config/kinds";
import { isOpenAi } from "@voice/shared/config/openai-servers";
import type { Parts } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { CheckFailure, type Check } from "../check.ts";
import type { DoctorContext } from "../context.ts";
import { statusOfUpgrade, streamingUrlOf } from "../upgrade.ts";

export function addressChecks({ settings, parts }: DoctorContext): Check[] {
  return [...namesToFind(settings, parts).map(nameCheck), ...reachChecks(settings)];
}

function nameCheck([setting, host]: readonly [string, string]): Check {
  return {
    name: `name ${host}`,
    advice: `is ${setting} spelled right, and is the resource's private DNS zone linked to this network?`,
    async run() {
      const { address } = await lookup(host);
      return address;
    },
  };
}

/** The addresses of the services that the settings name, without loopback, which needs no look-up. */
function namesToFind(settings: Settings, parts: Parts): readonly (readonly [string, string])[] {
  const urls: readonly (readonly [string, string | undefined])[] = [
    ["BASE_URL", settings.baseUrl],
    ["STREAMING_HOST_URL", settings.streamingHostUrl],
    ["CLOUD_OPENAI_ENDPOINT", settings.openaiEndpoint],
    ["OPENAI_BASE_URL", unlessOpenAi(settings.openaiBaseUrl)],
    ["OPENAI_STT_BASE_URL", settings.openaiSttBaseUrl],
    ["OPENAI_TTS_BASE_URL", settings.openaiTtsBaseUrl],
    ["CLOUD_SPEECH_ENDPOINT", settings.speechEndpoint],
    ["CLOUD_VOICELIVE_ENDPOINT", settings.voiceLiveEndpoint],
    ["COMM_ENDPOINT", settings.commEndpoint],
    ["CLOUD_WEBPUBSUB_ENDPOINT", settings.webPubSubEndpoint],
    ["CLOUD_APPCONFIG_ENDPOINT", settings.appConfigEndpoint],
    ["CLOUD_STORAGE_ENDPOINT", settings.storageEndpoint],
    ["CLOUD_DOCSTORE_ENDPOINT", settings.docstoreEndpoint],
  ];
  const named = urls.flatMap(([setting, url]) =>
    url === undefined ? [] : [[setting, new URL(url).hostname] as const],
  );
  const cache = parts.state.kind === "redis" ? [["CACHE_HOST", parts.state.host] as const] : [];
  const hosts = new Map(
    [...named, ...cache].filter(([, host]) => !isLoopback(host)).map(([setting, host]) => [host, setting]),
  );
  return [...hosts].map(([host, setting]) => [setting, host]);
}

/** OpenAI's own address is in no private zone. */
function unlessOpenAi(baseUrl: string): string | undefined {
  return isOpenAi(baseUrl) ? undefined : baseUrl;
}

function reachChecks(settings: Settings): Check[] {
  const { baseUrl } = settings;
  const streamingUrl = streamingUrlOf(settings);
  if (baseUrl === undefined || streamingUrl === undefined) return [];
  return [
    {
      name: "API from outside",
      advice: "BASE_URL must lead to the functions app, from the communication service's network as well",
      async run(signal) {
        const { status } = await fetch(`${baseUrl}/api/v1/health`, { signal });
        if (status === 503) throw new CheckFailure("answered 503", "the app's settings stop it; its log names them");
        if (status !== 200) throw new CheckFailure(`answered ${status}`, "BASE_URL must lead to the functions app");
        return `${baseUrl} is healthy`;
      },
    },
    {
      name: "sockets from outside",
      advice: "STREAMING_HOST_URL must lead to the streaming hosts, through whatever stands before them",
      async run(signal) {
        const status = await statusOfUpgrade(`${streamingUrl}/api/v1/realtime/dashboard/relay`, signal);
        if (status === 101) return `${streamingUrl} upgrades`;
        // A host refuses a client without a ticket; a server without sockets answers differently.
        if (status === 401 || status === 403) return `${streamingUrl} upgrades, for those who may`;
        throw new CheckFailure(
          `answered ${status} to an upgrade`,
          status === 503
            ? "the streaming host is not ready; its log says why"
            : "STREAMING_HOST_URL must lead to the streaming hosts",
        );
      },
    },
  ];
}
