/** The models of OpenAI, or of servers that speak its protocol, that the settings name, and the key for each server. */
import { isLoopback } from "./kinds.ts";
import type { SettingKey, Settings } from "./settings.ts";

/** A model behind a server that speaks OpenAI's protocol. */
export interface ServedModel {
  /** Includes `/v1`, without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
}

const openAiHost = "api.openai.com";

/** The models used if only a key is set. */
const defaultModels = {
  chat: "gpt-6-luna",
  recognition: "gpt-transcribe",
  synthesis: "gpt-4o-mini-tts",
  realtime: "gpt-realtime-2.1",
} as const;
export const defaultRealtimeModel = defaultModels.realtime;
export type OpenAiTask = keyof typeof defaultModels;

export function isOpenAi(baseUrl: string): boolean {
  return URL.parse(baseUrl)?.hostname === openAiHost;
}

/** Undefined if no such model is configured. A server other than OpenAI is used only for tasks whose model is named. */
export function servedModel(settings: Settings, task: OpenAiTask): ServedModel | undefined {
  const baseUrl = baseUrlOf(settings, task);
  const model = modelOf(settings, task) ?? (bringsAll(settings, baseUrl) ? defaultModels[task] : undefined);
  return model === undefined ? undefined : { baseUrl, model };
}

/** Whether the model was named explicitly, which has priority over the defaults that come with a key. */
export function isNamed(settings: Settings, task: OpenAiTask): boolean {
  return modelOf(settings, task) !== undefined;
}

/** Undefined for a server that needs no key, such as one on the user's own machine. */
export function keyOf(settings: Settings, task: OpenAiTask): string | undefined {
  const { openaiApiKey, openaiBaseUrl, openaiSttKey, openaiTtsKey } = settings;
  const own = { chat: undefined, realtime: undefined, recognition: openaiSttKey, synthesis: openaiTtsKey }[task];
  if (own !== undefined) return own;
  const isSameServer = new URL(baseUrlOf(settings, task)).origin === new URL(openaiBaseUrl).origin;
  return isSameServer ? openaiApiKey : undefined;
}

/** Base URLs that would send callers' words unencrypted over a network, with their hosts. */
export function plainHttpModels(settings: Settings): readonly (readonly [setting: SettingKey, host: string])[] {
  return (["openaiBaseUrl", "openaiSttBaseUrl", "openaiTtsBaseUrl"] as const).flatMap((key) => {
    const url = URL.parse(settings[key] ?? "");
    if (url?.protocol !== "http:" || isLoopback(url.hostname)) return [];
    return settings.modelPrivateHosts.includes(url.host) ? [] : [[key, url.host] as const];
  });
}

function bringsAll({ openaiApiKey }: Settings, baseUrl: string): boolean {
  return openaiApiKey !== undefined && isOpenAi(baseUrl);
}

function baseUrlOf({ openaiBaseUrl, openaiSttBaseUrl, openaiTtsBaseUrl }: Settings, task: OpenAiTask): string {
  if (task === "recognition") return openaiSttBaseUrl ?? openaiBaseUrl;
  return task === "synthesis" ? (openaiTtsBaseUrl ?? openaiBaseUrl) : openaiBaseUrl;
}

function modelOf(settings: Settings, task: OpenAiTask): string | undefined {
  const { openaiChatModel, openaiSttModel, openaiTtsModel, openaiRealtimeModel } = settings;
  return {
    chat: openaiChatModel,
    recognition: openaiSttModel,
    synthesis: openaiTtsModel,
    realtime: openaiRealtimeModel,
  }[task];
}
