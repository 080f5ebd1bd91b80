/** Every route of the app. A test holds this list against the endpoint definitions: nothing missing, nothing extra. */
import type { Route } from "./http/route.ts";
import { accessRoutes } from "./triggers/access.ts";
import { agentRoutes } from "./triggers/agents.ts";
import { browserRoutes } from "./triggers/browser.ts";
import { callWebhookRoutes } from "./triggers/call-webhooks.ts";
import { callRoutes } from "./triggers/calls.ts";
import { docsRoutes } from "./triggers/docs.ts";
import { healthRoutes } from "./triggers/health.ts";
import { mediaRoutes } from "./triggers/media.ts";
import { operatorRoutes } from "./triggers/operators.ts";
import { profileRoutes } from "./triggers/profiles.ts";
import { recordingRoutes } from "./triggers/recordings.ts";
import { realtimeRoutes } from "./triggers/realtime.ts";
import { scenarioRoutes } from "./triggers/scenarios.ts";
import { sessionRoutes } from "./triggers/sessions.ts";
import { telephonyRoutes } from "./triggers/telephony.ts";

export const routes: readonly Route[] = [
  ...healthRoutes,
  ...accessRoutes,
  ...callRoutes,
  ...callWebhookRoutes,
  ...mediaRoutes,
  ...realtimeRoutes,
  ...browserRoutes,
  ...telephonyRoutes,
  ...agentRoutes,
  ...sessionRoutes,
  ...operatorRoutes,
  ...recordingRoutes,
  ...scenarioRoutes,
  ...profileRoutes,
  ...docsRoutes,
];
