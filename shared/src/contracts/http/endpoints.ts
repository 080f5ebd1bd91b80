/** Every HTTP endpoint of the service. What is not in this list is not served and not documented. */
import { getOverview } from "./overview.ts";
import { getAccess, getSignIn } from "./access.ts";
import { createAgent, getAgent, listAgents, updateAgent } from "./agents.ts";
import { getAnnouncement } from "./announcements.ts";
import { twilioIncomingCall, twilioNext, twilioReport } from "./twilio-webhooks.ts";
import { answerHandshake, callbackHandshake, deliverIncomingCalls, receiveCallbacks } from "./call-webhooks.ts";
import { deleteCall, initiateCall, listCalls, terminateCall } from "./calls.ts";
import { exportConversations, listConversations } from "./conversations.ts";
import { getAsyncApi, getDocsPage, getOpenApi } from "./docs.ts";
import type { Endpoint } from "./endpoint.ts";
import { getAppConfig, getHealth, getPools, getReadiness, getReady, refreshAppConfig } from "./health.ts";
import { createMediaSession, getMediaSession, getMediaStatus } from "./media.ts";
import {
  endSession,
  handBackSession,
  holdSession,
  pressSessionKeys,
  saySession,
  takeOverSession,
  transferSession,
} from "./operators.ts";
import { generateProfile, getProfile } from "./profiles.ts";
import {
  createRealtimeToken,
  getBrowserStatus,
  getRealtimeStatus,
  getTelephonyHealth,
  negotiateDashboard,
} from "./realtime.ts";
import { getCaptions, getRecording, getTranscript } from "./recordings.ts";
import { auditList, getSystem } from "./system.ts";
import { getRelease, getRouteTable, listReleases, publishRelease, setLiveReleases } from "./releases.ts";
import { createScenario, getScenario, listScenarios } from "./scenarios.ts";
import { deleteSession, getSession, getSessionMetrics, listSessions, resetSession } from "./sessions.ts";
import { getFlightRecord, getModelRequests, getSessionMessages } from "./session-logs.ts";
import { listTools } from "./tools.ts";
import { getTranscriptCaptions, getTranscriptText, getWrittenTranscript } from "./transcripts.ts";

/** As the OpenAPI document has them, which tells of each tag what is under it. */
export const endpointsByTag: Readonly<Record<string, readonly Endpoint[]>> = {
  Health: [getHealth, getReady, getReadiness, getPools, getSystem, auditList, getAppConfig, refreshAppConfig],
  Access: [getSignIn, getAccess],
  Calls: [
    initiateCall,
    listCalls,
    terminateCall,
    deleteCall,
    deliverIncomingCalls,
    twilioIncomingCall,
    twilioNext,
    twilioReport,
    answerHandshake,
    receiveCallbacks,
    callbackHandshake,
    getAnnouncement,
  ],
  Media: [getMediaStatus, createMediaSession, getMediaSession],
  Realtime: [getRealtimeStatus, createRealtimeToken, negotiateDashboard],
  Telephony: [getTelephonyHealth],
  Browser: [getBrowserStatus],
  Agents: [
    listTools,
    listReleases,
    publishRelease,
    setLiveReleases,
    getRelease,
    getRouteTable,
    listAgents,
    getAgent,
    updateAgent,
    createAgent,
  ],
  Conversations: [listConversations, exportConversations, getOverview],
  Sessions: [
    listSessions,
    getSession,
    resetSession,
    deleteSession,
    getSessionMetrics,
    getSessionMessages,
    getModelRequests,
    getFlightRecord,
    getWrittenTranscript,
    getTranscriptText,
    getTranscriptCaptions,
    saySession,
    endSession,
    transferSession,
    takeOverSession,
    handBackSession,
    holdSession,
    pressSessionKeys,
    getRecording,
    getTranscript,
    getCaptions,
  ],
  Scenarios: [listScenarios, getScenario, createScenario],
  Profiles: [generateProfile, getProfile],
  Documentation: [getDocsPage, getOpenApi, getAsyncApi],
};

export const endpoints: readonly Endpoint[] = Object.values(endpointsByTag).flat();
