/**
 * The settings that streaming hosts read anew for each conversation. All others they read when they start: connections,
 * pools and the catalog are made from them. Hosts see this type only, so that nothing else can be read anew by mistake.
 */
import type { SettingKey, Settings } from "./settings.ts";

export const conversationSettings = [
  "agentScenario",
  "answerTimeoutMs",
  "bargeInEnabled",
  "bargeInThresholdMs",
  "commVoicemailMessage",
  "fillerDelayMs",
  "flightRecorderEnabled",
  "maxResetsPerHour",
  "recordingEnabled",
  "sttLanguage",
  "timeZone",
  "toolResultLimit",
  "vadSensitivity",
  "vadSilenceTimeoutMs",
  "vadTimeoutMs",
  "voiceLiveFallback",
] as const satisfies readonly SettingKey[];

export type ConversationSettings = Pick<Settings, (typeof conversationSettings)[number]>;
