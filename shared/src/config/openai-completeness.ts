/** Checks the settings for OpenAI and compatible servers for completeness. */
import type { Incomplete, NameOf } from "./completeness.ts";
import { isOpenAi, keyOf, plainHttpModels, servedModel } from "./openai-servers.ts";
import type { OpenAiTask } from "./openai-servers.ts";
import type { SettingKey, Settings } from "./settings.ts";

const tasks = ["chat", "recognition", "synthesis", "realtime"] as const satisfies readonly OpenAiTask[];

/** The setting of a server's address, and the settings that name its models. */
const addresses: readonly (readonly [SettingKey, readonly SettingKey[], readonly OpenAiTask[]])[] = [
  ["openaiBaseUrl", ["openaiChatModel", "openaiSttModel", "openaiTtsModel", "openaiRealtimeModel"], tasks],
  ["openaiSttBaseUrl", ["openaiSttModel"], ["recognition"]],
  ["openaiTtsBaseUrl", ["openaiTtsModel"], ["synthesis"]],
];

export function missingForOpenAi(settings: Settings, nameOf: NameOf): Incomplete[] {
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
