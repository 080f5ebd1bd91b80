/** Where the communication service is. An emulator on this machine is reached by a loopback address. */
import type { Settings } from "./settings.ts";

export function commServiceOf({
  commConnectionString,
  commEndpoint,
}: Pick<Settings, "commConnectionString" | "commEndpoint">): "none" | "local" | "real" {
  const address = commEndpoint ?? /endpoint=([^;]+)/i.exec(commConnectionString ?? "")?.[1];
  if (address === undefined) return commConnectionString === undefined ? "none" : "real";
  return /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:|\/|$)/i.test(address) ? "local" : "real";
}
