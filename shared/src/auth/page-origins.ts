/** The origins that the console's page has to reach beside its own; its content security policy names them. Pure. */
import type { Settings } from "../config/settings.ts";
import { signInOrigins } from "./sign-in-provider.ts";

type PageSettings = Parameters<typeof signInOrigins>[0] & Pick<Settings, "streamingHostUrl">;

/** Where people sign in, and where sockets are opened with a ticket: the streaming hosts have an address of their own. */
export function pageOrigins(settings: PageSettings): readonly string[] {
  const { streamingHostUrl } = settings;
  const sockets = streamingHostUrl === undefined ? [] : [new URL(streamingHostUrl).origin];
  return [...new Set([...signInOrigins(settings), ...sockets])];
}
