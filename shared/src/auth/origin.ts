/**
 * Decides which web pages may use the service. A browser sends a page's requests from its user's network position, so a
 * foreign page could place a call through a service that only the user can reach. Browsers report a request's origin in
 * `Origin` and `Sec-Fetch-Site`, which pages cannot change. Clients other than browsers send neither and are not
 * checked. Pure.
 */
import { isLoopback } from "../config/kinds.ts";
import type { Settings } from "../config/settings.ts";

export type OriginSettings = Pick<Settings, "baseUrl" | "streamingHostUrl" | "corsAllowedOrigins">;

export type ReadHeader = (name: string) => string | undefined;

/** Why the request is refused, worded for the caller; undefined if it is allowed or does not come from a browser. */
export function originProblem(header: ReadHeader, settings: OriginSettings): string | undefined {
  const origin = header("origin");
  if (origin !== undefined) return isTrusted(origin, header("host"), settings) ? undefined : foreignOrigin;
  const site = header("sec-fetch-site");
  return site === undefined || site === "same-origin" || site === "none" ? undefined : foreignOrigin;
}

export function isListed(origin: string, allowedOrigins: readonly string[]): boolean {
  return allowedOrigins.some((allowed) => originOf(allowed) === origin);
}

const foreignOrigin =
  "Pages of this origin may not do this; the origin of BASE_URL may, and those in CORS_ALLOWED_ORIGINS.";

function isTrusted(origin: string, host: string | undefined, settings: OriginSettings): boolean {
  const { baseUrl, streamingHostUrl, corsAllowedOrigins } = settings;
  const own = [baseUrl, streamingHostUrl?.replace(/^ws/, "http")].filter((url) => url !== undefined);
  return isListed(origin, [...own, ...corsAllowedOrigins]) || isAddressCalled(origin, host);
}

/**
 * Whether the page comes from the address that it calls. Only IP addresses and this machine's names count, because the
 * owner of any other name can let it point here (DNS rebinding). Behind a proxy `Host` may differ from the browser's,
 * and anybody can write forwarded headers; there BASE_URL defines the service's origin.
 */
function isAddressCalled(origin: string, host: string | undefined): boolean {
  const page = URL.parse(origin);
  const called = URL.parse(`${page?.protocol ?? "http:"}//${host ?? ""}`);
  if (page === null || called === null || page.origin !== origin || page.port !== called.port) return false;
  if (isLoopback(page.hostname)) return isLoopback(called.hostname);
  return page.hostname === called.hostname && isAddress(page.hostname);
}

/** `URL` has written every form of an IPv4 address as four numbers, and put IPv6 into brackets. */
export function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || /^\d+(\.\d+){3}$/.test(hostname);
}

function originOf(url: string): string | undefined {
  return URL.parse(url)?.origin;
}
