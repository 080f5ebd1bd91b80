/** Every address that can be attacked, derived from the route tables, so that a new route is tried automatically. */
import { apiPrefix } from "@voice/shared/contracts/http/endpoint";
import { streamPaths } from "@voice/streaming-host/server/accept/stream-routes";

/** The address of an endpoint with one id in the place of each parameter. */
export function addressOf(path: string, id: string): string {
  return apiPrefix + path.replaceAll(/\{[^}]*\}/g, id);
}

/** Every socket, asked for one session, with its id in the place of whatever the path names. */
export function doorsTo(sessionId: string): readonly string[] {
  return streamPaths.map(({ path, kind }) => {
    const query = new URLSearchParams({
      ...(kind === "media" ? { call_connection_id: sessionId } : {}),
      ...(path.includes("{session_id}") ? {} : { session_id: sessionId }),
    });
    return `${path.replace(/\{[^}]*\}/, sessionId)}?${query.toString()}`;
  });
}
