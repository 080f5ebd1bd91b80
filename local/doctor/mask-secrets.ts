/** Keeps secrets out of the report: those in the settings, and tokens that a library quotes in an error. */
import type { Environment } from "@voice/shared/config/load";
import { namesOf } from "@voice/shared/config/aliases";
import { namedSettings } from "@voice/shared/config/settings";

/** Shorter ones would mask ordinary words. */
const shortestSecret = 4;
const token = /eyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g;

export function createMask(environment: Environment): (text: string) => string {
  const secrets = namedSettings
    .filter(({ secret }) => secret)
    .flatMap(({ name }) => namesOf(name))
    .flatMap((name) => spellingsOf(environment[name] ?? ""))
    .filter((value) => value.length >= shortestSecret)
    .toSorted((one, other) => other.length - one.length);
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, "***"), text).replaceAll(token, "***");
}

/** The whole value, each item of a list, the key within a connection string, and each of these as a URL encodes it. */
function spellingsOf(value: string): string[] {
  const keys = [...value.matchAll(/(?:key|secret|signature)=([^;]+)/gi)].flatMap(([, key]) => key ?? []);
  const plain = [value, ...value.split(",").map((part) => part.trim()), ...keys];
  return [...plain, ...plain.map(encodeURIComponent)];
}
