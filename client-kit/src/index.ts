/** What pages and programs import from `@voice/client-kit`. */
export { VoiceAgent } from "./voice-agent.ts";
export type { Levels, VoiceAgentOptions, VoiceAgentState } from "./voice-agent.ts";
export type { Sound } from "./conversation.ts";
export type { ClientMessage, ServerMessage, ServerMessageType, ServerPayloads, SessionPayload } from "./messages.ts";
export type { AgentState, EventPayload } from "./messages.ts";
export type { Transcript, TranscriptEntry } from "./transcript.ts";
export type { ConnectionState } from "./connection/reconnecting-socket.ts";
export type { RequestTicket, Ticket, TicketRequest } from "./connection/socket-address.ts";
export { ServiceProblem } from "./connection/service-problem.ts";
