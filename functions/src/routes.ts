/**
 * Every route of the app, by the file that handles it, which is loaded at the first request. A test checks this list
 * against the endpoint definitions.
 */
import type { Route } from "./http/route.ts";

const loaders: Readonly<Record<string, () => Promise<readonly Route[]>>> = {
  health: async () => (await import("./triggers/health.ts")).healthRoutes,
  system: async () => (await import("./triggers/system.ts")).systemRoutes,
  access: async () => (await import("./triggers/access.ts")).accessRoutes,
  calls: async () => (await import("./triggers/calls.ts")).callRoutes,
  callWebhooks: async () => (await import("./triggers/call-webhooks.ts")).callWebhookRoutes,
  twilio: async () => (await import("./triggers/twilio-webhooks.ts")).twilioRoutes,
  announcements: async () => (await import("./triggers/announcements.ts")).announcementRoutes,
  media: async () => (await import("./triggers/media.ts")).mediaRoutes,
  realtime: async () => (await import("./triggers/realtime.ts")).realtimeRoutes,
  releases: async () => (await import("./triggers/releases.ts")).releaseRoutes,
  tools: async () => (await import("./triggers/tools.ts")).toolRoutes,
  agents: async () => (await import("./triggers/agents.ts")).agentRoutes,
  conversations: async () => (await import("./triggers/conversations.ts")).conversationRoutes,
  overview: async () => (await import("./triggers/overview.ts")).overviewRoutes,
  sessions: async () => (await import("./triggers/sessions.ts")).sessionRoutes,
  operators: async () => (await import("./triggers/operators.ts")).operatorRoutes,
  recordings: async () => (await import("./triggers/recordings.ts")).recordingRoutes,
  scenarios: async () => (await import("./triggers/scenarios.ts")).scenarioRoutes,
  profiles: async () => (await import("./triggers/profiles.ts")).profileRoutes,
  docs: async () => (await import("./triggers/docs.ts")).docsRoutes,
};

export const routeFiles: readonly string[] = Object.keys(loaders);

export function loadRoutes(file: string): Promise<readonly Route[]> {
  const load = loaders[file];
  if (load === undefined) throw new Error(`no file of routes is called ${file}`);
  return load();
}
