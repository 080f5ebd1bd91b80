/** Checks settings that only make sense together, and those that production requires. */
import { addressOf } from "./destinations.ts";
import { secretsNamedBy } from "./mcp-servers.ts";
import { isOpenAi, keyOf, plainHttpModels, servedModel } from "./openai-servers.ts";
import type { OpenAiTask } from "./openai-servers.ts";
import { partSettings, partsOf } from "./parts.ts";
import type { SettingKey, Settings } from "./settings.ts";

type NameOf = (key: SettingKey) => string;

/** At least one of these settings must be set. */
type Row = readonly [SettingKey, ...SettingKey[]];

/** A part of the product that has to be configured completely or not at all. */
interface Group {
  /** The part is required as soon as one of these is set. */
  readonly requiredBy: readonly SettingKey[];
  readonly needs: readonly Row[];
}

const groups: readonly Group[] = [
  {
    requiredBy: [...partSettings.languageModel, "openaiDeployment", "openaiKey"],
    needs: [partSettings.languageModel, ["openaiDeployment"]],
  },
  {
    requiredBy: ["openaiFallbackEndpoint", "openaiFallbackDeployment"],
    needs: [[...partSettings.languageModel, "openaiApiKey", "openaiChatModel"]],
  },
  { requiredBy: ["openaiKeyHeader", "openaiHeaders"], needs: [partSettings.languageModel] },
  { requiredBy: ["openaiFallbackKey"], needs: [["openaiFallbackEndpoint"]] },
  { requiredBy: ["openaiKeyHeader"], needs: [["openaiKey"]] },
  {
    requiredBy: [...partSettings.speech, "speechKey", "speechResourceId"],
    needs: [partSettings.speech, ["speechKey", "speechResourceId"]],
  },
  {
    requiredBy: [...partSettings.realtimeModel, "voiceLiveModel", "voiceLiveKey"],
    needs: [partSettings.realtimeModel, ["voiceLiveModel"]],
  },
  {
    requiredBy: [...partSettings.calls, "commPhoneNumber"],
    needs: [partSettings.calls, ["commPhoneNumber"], ["baseUrl"]],
  },
  { requiredBy: ["twilioAccountSid", "twilioAuthTokens"], needs: [["twilioAccountSid"], ["twilioAuthTokens"]] },
  { requiredBy: ["cacheUsername", "cachePassword", "cacheTls"], needs: [partSettings.state] },
  { requiredBy: [...partSettings.archive, "docstoreDatabase"], needs: [partSettings.archive, ["docstoreDatabase"]] },
  { requiredBy: ["webhookUrls"], needs: [["webhookSecrets"]] },
  { requiredBy: ["cloudClientSecret"], needs: [["cloudClientId"], ["cloudTenantId"]] },
  { requiredBy: ["telephonyClientSecret"], needs: [["telephonyApiKey"]] },
  { requiredBy: ["appConfigLabel"], needs: [["appConfigEndpoint"]] },
];

interface Incomplete {
  readonly missing: string;
  readonly reason: string;
}

/** What is wrong with these settings, each of which is right by itself; what is missing is said once, with its first reason. */
export function problemsTogether(settings: Settings, nameOf: NameOf): readonly string[] {
  const checks = [
    halfConfigured,
    missingForOpenAi,
    missingForRealCalls,
    missingForRedirects,
    missingForTelemetry,
    missingForToolServers,
    missingForWebhooks,
    missingInProduction,
  ];
  const reasons = new Map<string, string>();
  for (const { missing, reason } of checks.flatMap((find) => find(settings, nameOf)))
    if (!reasons.has(missing)) reasons.set(missing, reason);
  return [
    ...shortTimeout(settings, nameOf),
    ...twoTelephoneServices(settings, nameOf),
    ...noiseForOthers(settings, nameOf),
    ...[...reasons].map(([missing, reason]) => `${missing} is missing: ${reason}`),
  ];
}

function shortTimeout({ vadTimeoutMs, vadSilenceTimeoutMs }: Settings, nameOf: NameOf): readonly string[] {
  if (vadTimeoutMs >= vadSilenceTimeoutMs) return [];
  return [`${nameOf("vadTimeoutMs")} must not be shorter than ${nameOf("vadSilenceTimeoutMs")}`];
}

/** The rows of which nothing is set, by the names of their settings. */
function unset(rows: readonly Row[], settings: Settings, nameOf: NameOf): string[] {
  const isUnset = (row: Row): boolean => row.every((key) => settings[key] === undefined);
  return rows.filter(isUnset).map((row) => row.map(nameOf).join(" or "));
}

function halfConfigured(settings: Settings, nameOf: NameOf): Incomplete[] {
  return groups.flatMap(({ requiredBy, needs }) => {
    const cause = requiredBy.find((key) => settings[key] !== undefined);
    if (cause === undefined) return [];
    return unset(needs, settings, nameOf).map((missing) => ({
      missing,
      reason: `${nameOf(cause)} is set and needs it`,
    }));
  });
}

/** Listing an exporter requests it, but does not configure it. */
function missingForTelemetry({ telemetry, insightsConnectionString }: Settings, nameOf: NameOf): Incomplete[] {
  if (!telemetry.includes("application-insights") || insightsConnectionString !== undefined) return [];
  return [
    {
      missing: nameOf("insightsConnectionString"),
      reason: `${nameOf("telemetry")} has application-insights and needs it`,
    },
  ];
}

/**
 * A remote communication service sends webhooks: without its resource id its tokens cannot be checked, without a secret
 * or identity Event Grid's validation handshake is refused, and without a host that accepts WebSockets calls have no
 * audio.
 */
function missingForRealCalls(settings: Settings, nameOf: NameOf): Incomplete[] {
  const { calls } = partsOf(settings);
  if (calls.kind === "none" || calls.isEmulated) return [];
  const needs: readonly Row[] = [
    // Twilio signs what it sends with the auth token.
    ...(calls.kind === "azure"
      ? [["commResourceId"] as const, ["commWebhookSecrets", "backendAuthClientId"] as const]
      : []),
    ...(canUpgrade(settings) ? [] : [["streamingHostUrl"] as const]),
  ];
  const cause = partSettings.calls.find((key) => settings[key] !== undefined) ?? "commEndpoint";
  return unset(needs, settings, nameOf).map((missing) => ({ missing, reason: `${nameOf(cause)} is set and needs it` }));
}

/** With two telephone services it would be unclear which of them answers a call. */
function twoTelephoneServices(settings: Settings, nameOf: NameOf): readonly string[] {
  const named = partSettings.calls.filter((key) => settings[key] !== undefined);
  const other = named.find((key) => key !== "twilioAccountSid");
  if (other === undefined || settings.twilioAccountSid === undefined) return [];
  return [`${nameOf("twilioAccountSid")} and ${nameOf(other)} name two telephone services, and one answers the calls`];
}

/** An operator who has enabled noise suppression relies on it. */
function noiseForOthers(settings: Settings, nameOf: NameOf): readonly string[] {
  if (!settings.localNoiseSuppression || partsOf(settings).recognition.kind === "local") return [];
  return [
    `${nameOf("localNoiseSuppression")} is true, which only the recogniser on this machine can do, and the settings name another one`,
  ];
}

/**
 * The default address of a functions app, which cannot accept WebSocket upgrades; any other address may also lead to a
 * host.
 */
const functionsHosts = /\.(azurewebsites\.(net|us)|chinacloudsites\.cn|azure-api\.net)$/i;

function canUpgrade({ baseUrl }: Settings): boolean {
  return baseUrl === undefined || !functionsHosts.test(new URL(baseUrl).hostname);
}

/** A tool server must not be called with an empty key. */
function missingForToolServers({ mcpServers, toolSecrets }: Settings, nameOf: NameOf): Incomplete[] {
  return mcpServers.flatMap((server) =>
    secretsNamedBy(server)
      .filter((secret) => toolSecrets?.has(secret) !== true)
      .map((secret) => ({
        missing: `${secret} in ${nameOf("toolSecrets")}`,
        reason: `${nameOf("mcpServers")} names it for ${server.name}`,
      })),
  );
}

/** Events about calls are never sent unencrypted, unless another setting names the host. */
function missingForWebhooks({ webhookUrls = [], webhookPrivateHosts }: Settings, nameOf: NameOf): Incomplete[] {
  return webhookUrls
    .map((url) => new URL(url))
    .filter(({ protocol, host }) => protocol === "http:" && !webhookPrivateHosts.includes(host))
    .map(({ host }) => ({
      missing: `${host} in ${nameOf("webhookPrivateHosts")}`,
      reason: `${nameOf("webhookUrls")} has it over plain http`,
    }));
}

/** Redirected calls need a destination. */
function missingForRedirects(settings: Settings, nameOf: NameOf): Incomplete[] {
  const { commWhenFull, commWhenFullTarget: target, commDestinations } = settings;
  if (commWhenFull !== "redirect") return [];
  const reason = `${nameOf("commWhenFull")} is redirect and needs it`;
  if (target === undefined) return [{ missing: nameOf("commWhenFullTarget"), reason }];
  const isKnown = addressOf(target, commDestinations) !== undefined;
  return isKnown ? [] : [{ missing: `${target} in ${nameOf("commDestinations")}`, reason }];
}

const tasks = ["chat", "recognition", "synthesis", "realtime"] as const satisfies readonly OpenAiTask[];

/** The setting of a server's address, and the settings that name its models. */
const addresses: readonly (readonly [SettingKey, readonly SettingKey[], readonly OpenAiTask[]])[] = [
  ["openaiBaseUrl", ["openaiChatModel", "openaiSttModel", "openaiTtsModel", "openaiRealtimeModel"], tasks],
  ["openaiSttBaseUrl", ["openaiSttModel"], ["recognition"]],
  ["openaiTtsBaseUrl", ["openaiTtsModel"], ["synthesis"]],
];

/** OpenAI and servers of its protocol. */
function missingForOpenAi(settings: Settings, nameOf: NameOf): Incomplete[] {
  return [...missingModels(settings, nameOf), ...missingKeys(settings, nameOf), ...missingPermission(settings, nameOf)];
}

/** For a server other than OpenAI the models have to be named, because there are no known defaults. */
function missingModels(settings: Settings, nameOf: NameOf): Incomplete[] {
  return addresses.flatMap(([address, models, served]) => {
    const url = settings[address];
    if (typeof url !== "string" || isOpenAi(url)) return [];
    if (served.some((task) => servedModel(settings, task) !== undefined)) return [];
    return [{ missing: models.map(nameOf).join(" or "), reason: `${nameOf(address)} is set and needs it` }];
  });
}

function missingKeys(settings: Settings, nameOf: NameOf): Incomplete[] {
  const needsKey = tasks.some((task) => {
    const served = servedModel(settings, task);
    return served !== undefined && isOpenAi(served.baseUrl) && keyOf(settings, task) === undefined;
  });
  return needsKey ? [{ missing: nameOf("openaiApiKey"), reason: "a model of OpenAI is named and needs it" }] : [];
}

function missingPermission(settings: Settings, nameOf: NameOf): Incomplete[] {
  return plainHttpModels(settings).map(([key, host]) => ({
    missing: `${host} in ${nameOf("modelPrivateHosts")}`,
    reason: `${nameOf(key)} is plain http beyond this machine`,
  }));
}

/** In production there is no fallback to local parts. */
function missingInProduction(settings: Settings, nameOf: NameOf): Incomplete[] {
  if (settings.environment !== "production") return [];
  const missing = productionNeeds(settings, nameOf)
    .filter(({ row }) => row.every((key) => settings[key] === undefined))
    .map(({ row, reason }) => ({ missing: row.map(nameOf).join(" or "), reason }));
  return isOpenToEverybody(settings) ? [...missing, authentication] : missing;
}

const authentication: Incomplete = {
  missing: "ENABLE_AUTH_VALIDATION=true",
  reason:
    "ENVIRONMENT is production, and without it anybody can place calls and read conversations (ALLOW_UNAUTHENTICATED_PRODUCTION=true allows that)",
};

function isOpenToEverybody({ enableAuthValidation, allowUnauthenticatedProduction }: Settings): boolean {
  return !enableAuthValidation && !allowUnauthenticatedProduction;
}

interface Need {
  readonly row: Row;
  readonly reason: string;
}

function productionNeeds(settings: Settings, nameOf: NameOf): readonly Need[] {
  const { languageModel, recognition, synthesis, realtimeModel } = partsOf(settings);
  const hasSpeech = recognition.kind !== "local" && synthesis.kind !== "local";
  const reason = "ENVIRONMENT is production";
  const needs = (rows: readonly Row[], further?: string): Need[] =>
    rows.map((row) => ({ row, reason: further === undefined ? reason : `${reason}, and ${further}` }));
  const forRealtime = reasonForRealtime(settings, nameOf);
  const hasRealtime = forRealtime === undefined || realtimeModel.kind !== "none";
  return [
    ...needs([["baseUrl"], partSettings.calls, ["commPhoneNumber"]]),
    ...needs(settings.twilioAccountSid === undefined ? [["commResourceId"]] : []),
    ...needs(languageModel.kind === "local" ? [partSettings.languageModel, ["openaiDeployment"]] : []),
    ...needs(hasSpeech ? [] : [partSettings.speech, ["speechKey", "speechResourceId"]]),
    ...needs([partSettings.state]),
    ...needs(hasRealtime ? [] : [partSettings.realtimeModel, ["voiceLiveModel"]], forRealtime),
    ...needs(settings.recordingEnabled ? [partSettings.recordings] : [], `${nameOf("recordingEnabled")} is true`),
  ];
}

/** Why conversations need the realtime model, if they do. */
function reasonForRealtime(settings: Settings, nameOf: NameOf): string | undefined {
  if (settings.streamingMode === "VOICE_LIVE") return `${nameOf("streamingMode")} is VOICE_LIVE`;
  const platform = (["telephonyApiKey", "telephonyKeys"] as const).find((key) => settings[key] !== undefined);
  if (platform === undefined) return undefined;
  return `${nameOf(platform)} lets a telephony platform in, whose conversations the realtime model holds`;
}
