/** Refuses the name of a voice that the service's own speech cannot have, because the mistake would otherwise be heard by callers only. */
import { partsOf } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { isKnownLanguage } from "@voice/shared/languages/language-tag";
import { SchemaError } from "../http/validation.ts";
import { availableVoices } from "./available-voices.ts";

/** As an agent's document has it. */
type VoiceDocument = Readonly<Record<string, unknown>>;

/**
 * Azure's voices begin with their language (`en-US-AvaMultilingualNeural`, `zh-CN-liaoning-XiaobeiNeural`), and its realtime models have OpenAI's as
 * well. Custom and personal voices, other servers and modules of one's own may have any names.
 */
export function requireVoice(voice: VoiceDocument | null | undefined, settings: Settings): void {
  const { voice_name: name, endpoint_id: deployment, personal_model: model } = voice ?? {};
  if (typeof name !== "string" || typeof deployment === "string" || typeof model === "string") return;
  const { synthesis, realtimeModel } = partsOf(settings);
  if (["openai", "own", "model"].includes(synthesis.kind) || realtimeModel.kind === "own") return;
  if (beginsWithLanguage(name) || availableVoices.realtime_voices.includes(name.toLowerCase())) return;
  const msg =
    'No voice of the speech service: its names begin with a language, such as "en-US-AvaMultilingualNeural"; `available_voices` of GET /agents has some';
  throw new SchemaError([{ loc: ["body", "voice", "voice_name"], msg, type: "value_error" }]);
}

function beginsWithLanguage(name: string): boolean {
  const language = /^([a-z]{2,3}-(?:[a-z]{4}-)?(?:[a-z]{2}|\d{3}))-\w/i.exec(name)?.[1];
  return language !== undefined && isKnownLanguage(language);
}
