/**
 * The demonstration: the agents, tools and customers of a fictitious bank. They are loaded the way a user's own are, and only if a user has
 * not brought any.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Settings } from "../config/settings.ts";

type DemoSettings = Pick<Settings, "catalogDir" | "demoEnabled" | "demoCustomers" | "environment">;

/** Fictitious agents are not offered beside a user's own, or in production, unless a setting requests it. */
export function hasDemo({ demoEnabled, catalogDir, environment }: Omit<DemoSettings, "demoCustomers">): boolean {
  return demoEnabled ?? (catalogDir === undefined && environment !== "production");
}

export function hasDemoCustomers(settings: DemoSettings): boolean {
  return settings.demoCustomers ?? hasDemo(settings);
}

/** In a package the demonstration is beside the entry file; in the source it is a folder of the repository. */
const beside = new URL("demo/", import.meta.url);
const inSource = new URL("../../../demo/", import.meta.url);
const place = existsSync(beside) ? beside : inSource;

/** A folder like CATALOG_DIR. */
export const demoCatalogDir = fileURLToPath(new URL("catalog/", place));
/** A folder like TOOLS_DIR. */
export const demoToolsDir = fileURLToPath(new URL("tools/", place));
