/** What the table of routes has for a conversation that begins now (ROUTE in docs/agents.md). */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { routeOf } from "@voice/shared/catalog/conversation-routes";
import type { Host } from "../../../host/host.ts";
import type { ConversationRequest, RoutedConversation } from "../../../session/conversation/open-conversation.ts";

/** A phone call's row was looked up when it rang, and an outbound call has none. */
export function routedConversation(
  { channel, called }: Pick<ConversationRequest, "channel" | "called">,
  { routes }: Pick<Catalog, "routes">,
  { clock, settingsNow }: Pick<Host, "clock" | "settingsNow">,
): RoutedConversation | undefined {
  if (channel === "phone" || routes.length === 0) return undefined;
  const found = routeOf(routes, { channel, called }, { wallMs: clock.wallNow(), timeZone: settingsNow().timeZone });
  // A sentence alone is only said on the phone.
  const target = found?.target ?? found?.route;
  return target && { ...target, language: found?.route.language, timeZone: found?.route.timeZone };
}
