/** Determines which processes have to be restarted before refreshed settings take effect. Pure. */
import { conversationSettings } from "@voice/shared/config/conversation-settings";
import { namedSettings } from "@voice/shared/config/settings";

/**
 * The settings from which the functions app is composed: its stores, catalog, identity and log. It reads all others
 * with each request.
 */
const builtIn =
  /^(CACHE_|CATALOG_DIR$|CLOUD_(ENVIRONMENT|CLIENT|TENANT|APPCONFIG|DOCSTORE|STORAGE|WEBPUBSUB|OPENAI_DEPLOYMENT$|VOICELIVE_MODEL$)|LOG_LEVEL$|TELEMETRY|OTEL_|APPLICATIONINSIGHTS_|MCP_SERVERS$|RECORDING_(DIR|CONTAINER)$|TTS_(VOICE|STYLE|RATE)$)/;

const readByHosts: ReadonlySet<string> = new Set(
  namedSettings.filter(({ key }) => conversationSettings.some((known) => known === key)).map(({ name }) => name),
);

/** In words for the operator; undefined while nothing has changed. */
export function changedSettingsNote(changed: readonly string[]): string | undefined {
  if (changed.length === 0) return undefined;
  const live = changed.filter((name) => readByHosts.has(name));
  const fixed = changed.filter((name) => !readByHosts.has(name));
  const stale = changed.filter((name) => builtIn.test(name));
  return [
    `Changed since this instance started: ${changed.join(", ")}.`,
    ...(stale.length === 0 ? [] : [`Restart the functions app for ${stale.join(", ")}.`]),
    ...(live.length === 0
      ? []
      : [`Streaming hosts take ${live.join(", ")} for conversations that begin, within five minutes.`]),
    ...(fixed.length === 0 ? [] : [`Restart the streaming hosts for ${fixed.join(", ")}.`]),
  ].join(" ");
}
