/** A conversation as the page shows it, whether the user takes part or watches. */
import type { ServerPayloads } from "@voice/shared/contracts/stream/server-message";

export type AgentState = Extract<ServerPayloads["event"], { name: "state_change" }>["state"];

export type Entry = { readonly id: number; readonly at: string } & (
  | {
      readonly kind: "user";
      readonly text: string;
      readonly isPending: boolean;
      /** As the recogniser has heard it. */
      readonly language?: string | undefined;
      /** The agent that the caller talked with; undefined if no agent had spoken. */
      readonly agent?: string | undefined;
      readonly turnId?: string | undefined;
      /** From an earlier connection, which may have used the same turn numbers as this one. */
      readonly isPast?: boolean;
    }
  | {
      readonly kind: "agent";
      readonly agent: string;
      readonly turnId: string;
      readonly text: string;
      readonly isComplete: boolean;
      /** From an earlier connection, which may have used the same turn numbers as this one. */
      readonly isPast?: boolean;
      /** What the agent intended to say but nobody heard; empty unless it was interrupted. */
      readonly unheard: string;
      readonly isInterrupted: boolean;
      /** An operator wrote it, or said it in person. */
      readonly author?: "operator" | "person" | undefined;
      /** Names of the guardrails that held back a part of it. */
      readonly guardrails?: readonly string[] | undefined;
    }
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly args: Readonly<Record<string, unknown>>;
      readonly result: unknown;
      readonly status: ServerPayloads["tool_call"]["status"];
      readonly durationMs: number | undefined;
    }
  | { readonly kind: "handoff"; readonly from: string; readonly to: string }
  | {
      readonly kind: "notice";
      readonly tone: "info" | "error";
      readonly text: string;
      /** Why the conversation ended, where this says so. */
      readonly ending?: string | undefined;
    }
);

/** Without the fields that the reducer adds to every entry. */
export type NewEntry = Entry extends infer E ? (E extends Entry ? Omit<E, "id" | "at"> : never) : never;

export interface TurnLatency {
  readonly turnId: string;
  readonly agent: string | undefined;
  readonly metrics: Readonly<Record<string, number>>;
  /** How it was detected that the caller had finished. */
  readonly why?: readonly string[];
}

export interface ConversationView {
  readonly session: ServerPayloads["session"] | undefined;
  readonly agent: string | undefined;
  readonly agentState: AgentState | undefined;
  readonly entries: readonly Entry[];
  /** The recogniser's partial result for the words being spoken. */
  readonly interim: string;
  readonly latencies: readonly TurnLatency[];
  readonly ended: string | undefined;
  readonly nextId: number;
}

/** Bounded, because a page may be left open for days; more than any conversation has that people hold. */
export const maxEntries = 2000;
export const maxLatencies = 50;

export const emptyConversation: ConversationView = {
  session: undefined,
  agent: undefined,
  agentState: undefined,
  entries: [],
  interim: "",
  latencies: [],
  ended: undefined,
  nextId: 1,
};
