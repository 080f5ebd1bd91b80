/** Which models of OpenAI, or of servers that speak its protocol, the settings name; and the key that each server gets. */
import { isLoopback } from "./kinds.ts";
import type { SettingKey, Settings } from "./settings.ts";

/** A model behind a server that speaks OpenAI's protocol. */
export interface ServedModel {
  /** With `/v1`, and without a slash at its end. */
  readonly baseUrl: string;
  readonly model: string;
}

const openAiHost = "api.openai.com";

/** What a key alone brings. */
const usualModels = {
  chat: "gpt-6-luna",
  recognition: "gpt-transcribe",
  synthesis: "gpt-4o-mini-tts",
  realtime: "gpt-realtime-2.1",
} as const;
export type OpenAiTask = keyof typeof usualModels;

export function isOpenAi(baseUrl: string): boolean {
  return URL.parse(baseUrl)?.hostname === openAiHost;
}

/** Undefined: the settings name no such model. A server that is not OpenAI does only what a model is named for. */
export function servedModel(settings: Settings, task: OpenAiTask): ServedModel | undefined {
  const baseUrl = baseUrlOf(settings, task);
  const model = modelOf(settings, task) ?? (bringsAll(settings, baseUrl) ? usualModels[task] : undefined);
  return model === undefined ? undefined : { baseUrl, model };
}

/** Whether it was asked for by name, which counts for more than what a key alone brings. */
export function isNamed(settings: Settings, task: OpenAiTask): boolean {
  return modelOf(settings, task) !== undefined;
}

/** Undefined for a server that wants none, as those on a machine of one's own do. */
export function keyOf(settings: Settings, task: OpenAiTask): string | undefined {
  const { openaiApiKey, openaiBaseUrl, openaiSttKey, openaiTtsKey } = settings;
  const own = { chat: undefined, realtime: undefined, recognition: openaiSttKey, synthesis: openaiTtsKey }[task];
  if (own !== undefined) return own;
  const isSameServer = new URL(baseUrlOf(settings, task)).origin === new URL(openaiBaseUrl).origin;
  return isSameServer ? openaiApiKey : undefined;
}

/** What callers say would travel over a network that others can listen to: the base URLs that must not be, and their hosts. */
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
