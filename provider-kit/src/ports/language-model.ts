/** The streamed, tool-calling chat model behind an agent. Messages are vendor-neutral; adapters translate. */
import type { Agent, ReasoningEffort, Verbosity } from "@voice/shared/catalog/agent";
import type { ToolCall } from "@voice/shared/tools/tool-call";
import type { AwaitedAnswer } from "./recogniser.ts";

export type ModelMessage =
  | { readonly role: "system"; readonly content: string }
  | {
      readonly role: "user";
      readonly content: string;
      /** False: the caller spoke, and no word was recognised; `content` says so, for models that read text. */
      readonly understood?: false;
      /** TURN-16: what the caller may have said if nothing was understood. */
      readonly guess?: string | undefined;
    }
  | { readonly role: "assistant"; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
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

/** The agent that answers. A cloud model finds what it needs in the prompt; a model without weights goes by the agent's rules. */
export type AnsweringAgent = Pick<Agent, "name" | "rules" | "templateVars">;

export interface AnswerSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly agent: AnsweringAgent;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** The model may call no tool in this response. They are listed nevertheless, because services reject a history with calls otherwise. */
  readonly toolChoice?: "none" | undefined;
  /** The answer is one JSON object of this schema, in the strict form of structured outputs. A model may ignore it. */
  readonly answer?: AnswerSchema | undefined;
  readonly settings: ModelSettings;
  /** What the session remembers. A model that reads text finds it in its prompt. */
  readonly memory: Readonly<Record<string, unknown>>;
  /** The agent that handed over to this one within the current reply; a model that reads text finds it in its prompt. */
  readonly previousAgent?: string | undefined;
  /** The time zone in which "today" is meant, for a model that does not find it in its prompt; UTC if absent. */
  readonly timeZone?: string | undefined;
}

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that the service had cached and charges less for. */
  readonly cachedTokens?: number | undefined;
  /** The audio part of the input, and the cached part of that. */
  readonly audioInputTokens?: number | undefined;
  readonly cachedAudioTokens?: number | undefined;
  /** The audio part of the output. */
  readonly audioOutputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  /** Which model responded, as its service names it; absent if the service does not say. */
  readonly model?: string | undefined;
}

export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "tool-call"; readonly call: ToolCall }
  | {
      readonly type: "finished";
      readonly reason: "stop" | "tool-calls" | "length" | "content-filter";
      readonly usage?: ModelUsage;
      /** What the model has just asked the caller for, if it is known. */
      readonly awaits?: AwaitedAnswer | undefined;
    };

export interface LanguageModel {
  /** Throws a `VoiceError`, or the signal's reason once it is aborted; aborting also closes the vendor's socket. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Frees what the model holds; nothing is asked of it afterwards. If absent, it holds nothing. */
  close?(): Promise<void>;
  /** The token limit for input and output together of this deployment, if it is known. */
  contextTokens?(deploymentId: string): number | undefined;
  /**
   * Whether this deployment's text may begin inside a thought, which only an end mark (`</think>`) would show. The first response of such a
   * model is held back until that is known. If absent, it may not.
   */
  mayBeginInThought?(deploymentId: string): boolean;
}
