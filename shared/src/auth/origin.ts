/**
 * Which web pages may make the service do something. A browser sends a page's requests with whatever network position its
 * user has, so a page of somebody else could place a call on a machine that only its user can reach. Browsers say where a
 * request comes from, in `Origin` and `Sec-Fetch-Site`, and no page can change either. Clients that are no browsers send
 * neither, and are not asked. Pure.
 */
import { isLoopback } from "../config/kinds.ts";
import type { Settings } from "../config/settings.ts";

export type OriginSettings = Pick<Settings, "baseUrl" | "streamingHostUrl" | "corsAllowedOrigins">;

export type ReadHeader = (name: string) => string | undefined;

/** Why a browser may not do this, in words for the caller; undefined where it may, or where no browser asks. */
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
 * The page comes from the very address that it calls. Only addresses count, and the names of this machine: whoever owns
 * any other name can let it point here (DNS rebinding). Behind a proxy `Host` may be another than the browser's, and
 * forwarded headers are anybody's to write; there BASE_URL says what the own origin is.
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
