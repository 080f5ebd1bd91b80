/** Lists every setting for operators, with its value unless that is a secret. Pure. */
import { shownServers } from "./mcp-servers.ts";
import { namedSettings, settingsSchema, type Settings } from "./settings.ts";
import { withoutQuery } from "./shown-values.ts";

export interface SettingDescription {
  readonly area: string;
  readonly name: string;
  readonly about: string;
  /** The value as text; undefined if it is secret or not set. */
  readonly value: string | undefined;
  readonly isSecret: boolean;
  /** Whether the value differs from the default. */
  readonly isChanged: boolean;
}

export function describeSettings(settings: Settings): readonly SettingDescription[] {
  const values = new Map<string, unknown>(
    Object.entries({ ...settings, mcpServers: shownServers(settings.mcpServers) }),
  );
  const usual = new Map<string, unknown>(
    Object.entries(settingsSchema.shape).map(([key, schema]) => [key, schema.safeParse(undefined).data]),
  );
  return namedSettings.map(({ key, area, name, about, secret: isSecret }) => {
    const value = values.get(key);
    const isChanged = inJson(value) !== inJson(usual.get(key));
    return { area, name, about, value: isSecret ? undefined : inWords(key, value), isSecret, isChanged };
  });
}

/** Durations are stored in milliseconds, whatever unit they are set in. */
function inWords(key: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && key.endsWith("Ms")) return `${value} ms`;
  if (typeof value === "string" && /^(https?|wss?):/.test(value)) return withoutQuery(value);
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value.join(", ");
  return inJson(value);
}

/** Lists of pairs are stored as maps, which JSON shows as empty. */
function inJson(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, part: unknown) => (part instanceof Map ? Object.fromEntries(part) : part));
}
