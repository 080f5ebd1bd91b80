/** The streamed, tool-calling chat model behind an agent. Messages are vendor-neutral; adapters translate. */
import type { Agent, ReasoningEffort, Verbosity } from "@voice/shared/catalog/agent";
import type { AwaitedAnswer } from "./recogniser.ts";

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** The model's own JSON text; it may be malformed, and the tool runner says so to the model. */
  readonly argumentsJson: string;
}

export type ModelMessage =
  | { readonly role: "system"; readonly content: string }
  | {
      readonly role: "user";
      readonly content: string;
      /** False: the caller spoke, and no word was recognised; `content` says so for models that read. */
      readonly understood?: false;
      /** TURN-16: what they may have said then. */
      readonly guess?: string | undefined;
    }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ModelToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly name: string; readonly content: string };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelSettings {
  readonly deploymentId: string;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly reasoningEffort?: ReasoningEffort | undefined;
  readonly verbosity?: Verbosity | undefined;
}

/** Who answers. What a cloud model needs to know of it stands in the prompt; one without weights goes by its rules. */
export type AnsweringAgent = Pick<Agent, "name" | "rules" | "templateVars">;

export interface ModelRequest {
  readonly agent: AnsweringAgent;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** The model may call none of them in this answer. They are listed all the same, because services refuse a history with calls otherwise. */
  readonly toolChoice?: "none" | undefined;
  readonly settings: ModelSettings;
  /** What the session remembers. A model that reads finds in its prompt what it should know of it. */
  readonly memory: Readonly<Record<string, unknown>>;
  /** Who has handed over to this agent within the answer that is asked for; a model that reads finds it in its prompt. */
  readonly previousAgent?: string | undefined;
  /** Whose day "today" is, for one that does not read it in its prompt; UTC where absent. */
  readonly timeZone?: string | undefined;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input: what the service had read before and charges less for. */
  readonly cachedTokens?: number | undefined;
  /** Of the input: audio, and the part of it that the service had heard before. */
  readonly audioInputTokens?: number | undefined;
  readonly cachedAudioTokens?: number | undefined;
  /** Of the output. */
  readonly audioOutputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  /** Which model answered, as its service names it; absent if it does not say. */
  readonly model?: string | undefined;
}

export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "tool-call"; readonly call: ModelToolCall }
  | {
      readonly type: "finished";
      readonly reason: "stop" | "tool-calls" | "length" | "content-filter";
      readonly usage?: ModelUsage;
      /** What the model has just asked for, where it knows. */
      readonly awaits?: AwaitedAnswer | undefined;
    };

export interface LanguageModel {
  /** Throws a `VoiceError`, or the signal's reason once it is aborted; abort reaches down to the vendor's socket. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
