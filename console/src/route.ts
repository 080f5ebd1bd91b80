/** The part of the address after `#`, so that a link to a conversation can be shared. */

export type Route = { readonly page: "talk" } | { readonly page: "watch"; readonly sessionId: string | undefined };

export function parseRoute(hash: string): Route {
  const [page, sessionId] = hash.replace(/^#\/?/, "").split("/", 2);
  if (page !== "watch") return { page: "talk" };
  return { page: "watch", sessionId: sessionId === undefined || sessionId === "" ? undefined : decode(sessionId) };
}

export function formatRoute(route: Route): string {
  if (route.page === "talk") return "#talk";
  return route.sessionId === undefined ? "#watch" : `#watch/${encodeURIComponent(route.sessionId)}`;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
