/** What the table of routes has for a conversation that begins now (ROUTE in docs/agents.md). */
import { readOwner, tenantOwner } from "@voice/shared/auth/tenant";
import type { Catalog } from "@voice/shared/catalog/catalog";
import { routeOf } from "@voice/shared/catalog/conversation-routes";
import type { ConversationRequest, RoutedConversation } from "../../../session/conversation/open-conversation.ts";

/** A phone call's row was looked up when it rang, and an outbound call has none. */
export function routedConversation(
  { channel, called, owner }: Pick<ConversationRequest, "channel" | "called" | "owner">,
  { routes }: Pick<Catalog, "routes">,
  now: { readonly wallMs: number; readonly timeZone: string },
): RoutedConversation | undefined {
  if (channel === "phone" || routes.length === 0) return undefined;
  const { tenant } = readOwner(owner);
  const found = routeOf(routes, { channel, called, tenant }, now);
  // A sentence alone is only said on the phone.
  const target = found?.target ?? found?.route;
  if (found === undefined || target === undefined) return undefined;
  const { language, timeZone } = found.route;
  return { scenario: target.scenario, agent: target.agent, language, timeZone, tenant: found.route.tenant };
}

/** TENANT-3. What nobody owns belongs to the tenant of the number that was called. */
export function withTenant(request: ConversationRequest, tenant: string | undefined): ConversationRequest {
  if (request.owner !== undefined || tenant === undefined) return request;
  return { ...request, owner: tenantOwner(tenant) };
}
