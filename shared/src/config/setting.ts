/** One environment variable: its name, how to read it, its default, and its purpose. */
import { z } from "zod";
import type { Kind } from "./kinds.ts";

export interface SettingInfo {
  readonly name: string;
  readonly about: string;
  /** The kind in words. */
  readonly says: string;
  /** As written in the environment; absent if there is no default. */
  readonly fallback?: string | undefined;
  /** Its value is never shown: not in errors, logs, documents or status answers. */
  readonly secret: boolean;
}

/** Rules that a setting's schema cannot express. */
export const settingInfo = z.registry<SettingInfo>();

export function defaulted<T>(name: string, kind: Kind<T>, fallback: string, about: string) {
  return kind.schema
    .prefault(fallback)
    .register(settingInfo, { name, about, says: kind.says, fallback, secret: false });
}

export function optional<T>(name: string, kind: Kind<T>, about: string) {
  return kind.schema.optional().register(settingInfo, { name, about, says: kind.says, secret: false });
}

export function secret<T>(name: string, kind: Kind<T>, about: string) {
  return kind.schema.optional().register(settingInfo, { name, about, says: kind.says, secret: true });
}
