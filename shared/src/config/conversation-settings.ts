/**
 * The settings that streaming hosts read again for each conversation. They read all others once at start-up, because
 * connections, pools and the catalog are built from them. Code for conversations sees only this type, so that it cannot
 * read another setting by mistake.
 */
import type { SettingKey, Settings } from "./settings.ts";

export const conversationSettings = [
  "agentScenario",
  "answerTimeoutMs",
  "bargeInEnabled",
  "bargeInThresholdMs",
  "commVoicemailMessage",
  "fillerDelayMs",
  "realtimeNoiseReduction",
  "flightRecorderEnabled",
  "maxResetsPerHour",
  "maxSessionHistory",
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
