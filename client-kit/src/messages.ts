/**
 * What the service sends and takes on `/browser/conversation`. Its own schemas are in the service; a test holds these types against them,
 * so that the kit needs no library for them.
 */

interface Began {
  /** When its turn began (ISO 8601): what is known late stands before whatever began after it. */
  readonly began_at?: string | undefined;
}

export interface SessionPayload {
  session_id: string;
  /** The conversation has been held before, and goes on. */
  resumed: boolean;
  streaming_mode: string;
  /** Hertz, of the audio in both directions. */
  sample_rate: number;
  agent: string;
  scenario: string;
}

export interface TranscriptPayload extends Began {
  text: string;
  /** False for what is recognised so far, which the next transcript replaces. */
  is_final: boolean;
  speaker: "user" | "agent";
  turn_id?: string | undefined;
  agent?: string | undefined;
  /** Milliseconds of the caller's audio before the words began, and when they had ended. */
  start_ms?: number | undefined;
  end_ms?: number | undefined;
  language?: string | undefined;
  /** The text is keys that the caller pressed. */
  keyed?: true | undefined;
}

export interface ResponsePayload extends Began {
  text: string;
  agent: string;
  turn_id: string;
  /** False while the model is still writing: `text` is then the next piece. True once the whole `text` was heard. */
  is_final: boolean;
  is_answer?: true | undefined;
  /** A person who has taken over said it, and not the agent. */
  author?: "person" | undefined;
  /** The caller spoke over it: `text` is what was heard. */
  interrupted?: boolean | undefined;
}

interface HandoffPayload {
  from: string;
  to: string;
  type: "announced" | "discrete";
}

interface ToolCallPayload {
  name: string;
  args: Record<string, unknown>;
  result: unknown;
  status: "started" | "success" | "error";
  is_fault?: true | undefined;
  duration_ms?: number | undefined;
  turn_id?: string | undefined;
}

type OperatorAction =
  | "listening"
  | "not_listening"
  | "say"
  | "transfer"
  | "end"
  | "take_over"
  | "hand_back"
  | "person_lost"
  | "hold"
  | "resume"
  | "keys";

/** Why the agent's audio stops before its end. After `speech` and `paused` it may be sent again. */
export type StopReason = "speech" | "interrupted" | "paused" | "dead_air" | "superseded" | "ended";

export type EventPayload =
  /** Drop the audio that is queued: the kit has done so when it passes this on. */
  | { name: "barge_in"; turn_id?: string | undefined; reason: StopReason }
  | { name: "false_interruption"; turn_id?: string | undefined }
  | ({ name: "handoff" } & HandoffPayload)
  | { name: "language_changed"; language: string; from?: string | undefined }
  | (Omit<ToolCallPayload, "name"> & { name: "tool_call"; tool: string })
  | { name: "state_change"; state: AgentState; agent: string }
  | { name: "playout_finished"; turn_id: string }
  | { name: "turn_metrics"; turn_id: string; metrics: Record<string, number>; why?: readonly string[] | undefined }
  | {
      name: "call_update";
      update: string;
      status: string;
      failure?: { code: string; reason: string } | undefined;
    }
  | { name: "fallback"; from: "VOICE_LIVE"; to: "MEDIA"; reason: string }
  | ({ name: "transcription_failed"; reason: string } & Began)
  | { name: "answer_cut"; turn_id: string; cause: "length" | "content_filter" }
  | { name: "guardrail"; turn_id: string; agent: string; names: readonly string[]; action: "replace" | "stop" }
  | { name: "tool_rounds_spent"; turn_id: string; rounds: number }
  | {
      name: "operator";
      action: OperatorAction;
      line_id?: string | undefined;
      text?: string | undefined;
      outcome?: "said" | "interrupted" | "not_said" | undefined;
      reason?: string | undefined;
      turn_id?: string | undefined;
    }
  | {
      name: "answered_by";
      answered_by: "machine" | "menu" | "not_in_service";
      evidence: "beep" | "words" | "long-greeting" | "service";
    }
  | { name: "session_ended"; reason: string };

export type AgentState = "listening" | "thinking" | "speaking";

export interface ServerPayloads {
  audio: { data: string; sample_rate: number; speaker?: "caller" | "agent" | undefined };
  transcript: TranscriptPayload;
  response: ResponsePayload;
  agent_response: ResponsePayload;
  handoff: HandoffPayload;
  tool_call: ToolCallPayload;
  event: EventPayload;
  /** 0 (silence) to 1 (full scale), root mean square. */
  audio_levels: { input: number; output: number };
  session: SessionPayload;
  error: { code: string; message: string };
  pong: Record<string, never>;
}

export type ServerMessageType = keyof ServerPayloads;

export type ServerMessage = {
  [T in ServerMessageType]: {
    readonly type: T;
    readonly session_id: string;
    /** ISO 8601, UTC. */
    readonly timestamp: string;
    readonly payload: ServerPayloads[T];
  };
}[ServerMessageType];

export type ClientMessage =
  /** `pause`: the agent is deaf and mute until `start` or `resume`. `reset`: another conversation begins. `stop`: it ends. */
  | { type: "control"; action: "start" | "stop" | "pause" | "resume" | "reset" }
  /** Sent before the first turn. Fields that a later one does not name stay as they are. */
  | {
      type: "config";
      scenario?: string;
      agent?: string;
      agent_overrides?: Record<string, { voice?: { voice_name?: string; voice_style?: string } }>;
      audio_output?: "base64" | "binary";
      profile_id?: string;
      language?: string;
      time_zone?: string;
    }
  /** A whole turn, typed. */
  | { type: "text"; text: string }
  /** Keys; `#`, or two seconds without one, ends them. */
  | { type: "dtmf"; digits: string }
  /** The caller has finished: what was said is a turn now. */
  | { type: "stop_audio" }
  | { type: "audio_data"; data: string }
  | { type: "ping" };
