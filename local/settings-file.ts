/**
 * The settings that Core Tools read from local.settings.json, for everything else that starts on this machine: they count
 * where the environment does not set them.
 */
import { readFileSync } from "node:fs";
import { ConfigurationError } from "@voice/shared/config/configuration-error";
import type { Environment } from "@voice/shared/config/load";
import { z } from "zod";

const settingsFile = z.object({
  IsEncrypted: z.boolean().default(false),
  Values: z.record(z.string(), z.string()).default({}),
});

export const settingsFileUrl = new URL("../local.settings.json", import.meta.url);

/** The environment, with the file's values under it. There need not be a file. */
export function withSettingsFile(environment: Environment, file: URL = settingsFileUrl): Environment {
  const values = readValues(file);
  // An empty value means "not set", in the file as in the environment.
  const given = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== "");
  return { ...values, ...Object.fromEntries(given) };
}

function readValues(file: URL): Environment {
  const text = textOf(file);
  if (text === undefined) return {};
  const parsed = settingsFile.safeParse(parseJson(text));
  if (!parsed.success)
    throw new ConfigurationError(
      parsed.error.issues.map(
        ({ path, message }) =>
          `local.settings.json is not of the form of local.settings.example.json: ${path.join(".")}: ${message}`,
      ),
    );
  if (parsed.data.IsEncrypted)
    throw new ConfigurationError(["local.settings.json is encrypted; `func settings decrypt` makes it readable"]);
  return parsed.data.Values;
}

function textOf(file: URL): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The rest of the message quotes the file, in which keys stand.
    const [place = ""] = /\(line \d+ column \d+\)/.exec(String(error)) ?? [];
    throw new ConfigurationError([`local.settings.json is not JSON ${place}`.trim()]);
  }
}
