/** Every HTTP endpoint of the service. What is not in this list is not served and not documented. */
import * as access from "./access.ts";
import * as agents from "./agents.ts";
import * as announcements from "./announcements.ts";
import * as callWebhooks from "./call-webhooks.ts";
import * as calls from "./calls.ts";
import * as conversations from "./conversations.ts";
import * as docs from "./docs.ts";
import { endpointsIn, type Endpoint } from "./endpoint.ts";
import * as health from "./health.ts";
import * as media from "./media.ts";
import * as operators from "./operators.ts";
import * as overview from "./overview.ts";
import * as profiles from "./profiles.ts";
import * as realtime from "./realtime.ts";
import * as recordings from "./recordings.ts";
import * as releases from "./releases.ts";
import * as scenarios from "./scenarios.ts";
import * as sessionLogs from "./session-logs.ts";
import * as sessions from "./sessions.ts";
import * as system from "./system.ts";
import * as tools from "./tools.ts";
import * as transcripts from "./transcripts.ts";
import * as twilioWebhooks from "./twilio-webhooks.ts";

const { getBrowserStatus, getTelephonyHealth, ...tickets } = realtime;

/** Grouped as in the OpenAPI document, which describes each tag. */
export const endpointsByTag: Readonly<Record<string, readonly Endpoint[]>> = {
  Health: endpointsIn(health, system),
  Access: endpointsIn(access),
  Calls: endpointsIn(calls, callWebhooks, twilioWebhooks, announcements),
  Media: endpointsIn(media),
  Realtime: endpointsIn(tickets),
  Telephony: [getTelephonyHealth],
  Browser: [getBrowserStatus],
  Agents: endpointsIn(tools, releases, agents),
  Conversations: endpointsIn(conversations, overview),
  Sessions: endpointsIn(sessions, sessionLogs, transcripts, operators, recordings),
  Scenarios: endpointsIn(scenarios),
  Profiles: endpointsIn(profiles),
  Documentation: endpointsIn(docs),
};

export const endpoints: readonly Endpoint[] = Object.values(endpointsByTag).flat();
