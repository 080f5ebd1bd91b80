/**
 * What the service sends to browsers, typed media clients and dashboards: `{type, session_id, timestamp, payload}`.
 * Browsers receive the agent's text as `response`, and media streams as `agent_response`.
 */
import { z } from "zod";

const beganAt = z.iso
  .datetime()
  .optional()
  .describe(
    "When its turn began. Words may be known late: in the order of the conversation they stand before whatever began after them.",
  );

export const transcriptPayload = z.object({
  text: z.string(),
  is_final: z.boolean().describe("False for what is recognised so far, which the next transcript replaces."),
  speaker: z.enum(["user", "agent"]),
  turn_id: z.string().optional(),
  began_at: beganAt,
  agent: z.string().optional(),
  start_ms: z.number().optional().describe("Milliseconds of the caller's audio before the words began."),
  end_ms: z.number().optional().describe("And when they had ended."),
  language: z.string().optional(),
  keyed: z.literal(true).optional().describe("The text is keys that the caller pressed, and nothing was said."),
});

export const responsePayload = z.object({
  text: z.string(),
  agent: z.string(),
  turn_id: z.string(),
  is_final: z
    .boolean()
    .describe(
      "False while the model is still writing: `text` is then the next piece. True once the whole `text` was heard.",
    ),
  began_at: beganAt,
  is_answer: z
    .literal(true)
    .optional()
    .describe("It answers what the caller has said, whose transcript may still come."),
  author: z.literal("person").optional().describe("A person who has taken over said it, and not the agent."),
  interrupted: z.boolean().optional().describe("The caller spoke over it: `text` is what was heard."),
});

export const handoffPayload = z.object({ from: z.string(), to: z.string(), type: z.enum(["announced", "discrete"]) });

export const toolCallPayload = z.object({
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  result: z.unknown(),
  status: z.enum(["started", "success", "error"]).describe("`started` has no result yet."),
  is_fault: z
    .literal(true)
    .optional()
    .describe("With `error`: the tool could not do its work. Absent where it has answered, even if the answer is no."),
  duration_ms: z.number().optional(),
  turn_id: z.string().optional(),
});

export const sessionPayload = z.object({
  session_id: z.string(),
  resumed: z.boolean().describe("The conversation has been held before, and goes on."),
  streaming_mode: z.string(),
  sample_rate: z.number().describe("Hertz, of the audio in both directions."),
  agent: z.string(),
  scenario: z.string(),
});

export const errorPayload = z.object({ code: z.string(), message: z.string() });

export const audioPayload = z.object({
  data: z.base64(),
  sample_rate: z.number(),
  speaker: z.enum(["caller", "agent"]).optional().describe("Whose voice it is; only for listeners."),
});

export const audioLevelsPayload = z
  .object({ input: z.number(), output: z.number() })
  .describe("0 (silence) to 1 (full scale), root mean square.");

export const pongPayload = z.object({}).describe("The answer to `ping`, for whoever has asked.");

export const agentStates = ["listening", "thinking", "speaking"] as const;

export const operatorActions = [
  "listening",
  "not_listening",
  "say",
  "transfer",
  "end",
  "take_over",
  "hand_back",
  "person_lost",
  "hold",
  "resume",
  "keys",
] as const;

/** Why the agent's audio stops before its end. */
export const stopReasons = [
  /** The caller makes a sound over the agent; `false_interruption` follows if it was no interruption. */
  "speech",
  /** The caller's words, typed text or keys cut the agent off. */
  "interrupted",
  /** The client paused the conversation, or it is on hold; the audio will be sent again. */
  "paused",
  /** Nobody interrupts: the answer is given up, replaced by another one, or the conversation ends. */
  "dead_air",
  "superseded",
  "ended",
] as const;

export type StopReason = (typeof stopReasons)[number];

export const eventPayload = z.discriminatedUnion("name", [
  z
    .object({ name: z.literal("barge_in"), turn_id: z.string().optional(), reason: z.enum(stopReasons) })
    .describe(
      "Drop the audio that is queued, because of `reason`. `speech` and `interrupted` come from the caller; after `speech` and `paused` the audio may be sent again. Sent once for an interruption, and only for an answer that has been heard.",
    ),
  z
    .object({ name: z.literal("false_interruption"), turn_id: z.string().optional() })
    .describe("What held the audio was no interruption: it goes on where it was stopped."),
  z.object({ name: z.literal("handoff"), ...handoffPayload.shape }),
  z
    .object({ name: z.literal("language_changed"), language: z.string(), from: z.string().optional() })
    .describe("The caller speaks another of the scenario's languages, and the conversation goes on in it."),
  z.object({ ...toolCallPayload.shape, name: z.literal("tool_call"), tool: z.string() }),
  z.object({ name: z.literal("state_change"), state: z.enum(agentStates), agent: z.string() }),
  z
    .object({ name: z.literal("playout_finished"), turn_id: z.string() })
    .describe("The last sample of an answer was heard."),
  z.object({
    name: z.literal("turn_metrics"),
    turn_id: z.string(),
    metrics: z.record(z.string(), z.number()),
    why: z
      .array(z.string())
      .readonly()
      .optional()
      .describe("The reasons for deciding that the caller had finished, the strongest first."),
  }),
  z
    .object({
      name: z.literal("call_update"),
      update: z.string(),
      status: z.string(),
      failure: z
        .object({ code: z.string(), reason: z.string() })
        .optional()
        .describe("Where the call failed, or its stream did (`media_streaming_failed`) while the call goes on."),
    })
    .describe("The status of the phone call that carries the conversation."),
  z
    .object({
      name: z.literal("fallback"),
      from: z.literal("VOICE_LIVE"),
      to: z.literal("MEDIA"),
      reason: z.string().describe("An error code."),
    })
    .describe(
      "The realtime model has failed; the conversation continues with recognition, language model and synthesis.",
    ),
  z
    .object({
      name: z.literal("transcription_failed"),
      reason: z.string().describe("An error code."),
      began_at: beganAt,
    })
    .describe("The realtime model has heard the caller, and their words could not be transcribed."),
  z
    .object({ name: z.literal("answer_cut"), turn_id: z.string(), cause: z.enum(["length", "content_filter"]) })
    .describe("The model stopped before the end of its answer, and the agent says so."),
  z
    .object({
      name: z.literal("guardrail"),
      turn_id: z.string(),
      agent: z.string(),
      names: z.array(z.string()).readonly().describe("Which of the agent's guardrails."),
      action: z.enum(["replace", "stop"]).describe("`stop`: it ended the reply, whose tool calls are dropped."),
    })
    .describe("A guardrail has held back what the agent was about to say."),
  z
    .object({ name: z.literal("tool_rounds_spent"), turn_id: z.string(), rounds: z.int() })
    .describe("The model has called tools in as many answers as one turn may have, and was asked to answer without."),
  z
    .object({
      name: z.literal("operator"),
      action: z.enum(operatorActions),
      line_id: z.string().optional().describe("With `say`: which line, as the request for it was answered."),
      text: z
        .string()
        .optional()
        .describe("With an outcome: the whole line. With `hand_back`: the notes for the agent."),
      outcome: z
        .enum(["said", "interrupted", "not_said"])
        .optional()
        .describe("What became of a line. Absent: it was requested, and the agent speaks it when nobody else does."),
      reason: z.string().optional().describe("Why it was not said."),
      turn_id: z.string().optional().describe("The turn in which it was heard."),
    })
    .describe("An operator's action; the caller is not told."),
  z
    .object({
      name: z.literal("answered_by"),
      answered_by: z.enum(["machine", "menu", "not_in_service"]),
      evidence: z.enum(["beep", "words", "long-greeting", "service"]).describe("By what it was recognised."),
    })
    .describe("No person has answered the call that the service has placed. Only those who watch are sent it."),
  z.object({ name: z.literal("session_ended"), reason: z.string() }),
]);

export const serverPayloads = {
  audio: audioPayload,
  transcript: transcriptPayload,
  response: responsePayload,
  agent_response: responsePayload,
  handoff: handoffPayload,
  tool_call: toolCallPayload,
  event: eventPayload,
  audio_levels: audioLevelsPayload,
  session: sessionPayload,
  error: errorPayload,
  pong: pongPayload,
};

export type ServerPayloads = { [T in keyof typeof serverPayloads]: z.infer<(typeof serverPayloads)[T]> };

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
