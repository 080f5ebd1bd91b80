/** The editable fields of an agent, by the paths under which the service reports problems. */
import type { AgentDetails } from "../api/build-api.ts";
import { textOf } from "./document-path.ts";

export interface AgentField {
  readonly path: string;
  readonly label: string;
  /** `lines`: a list with one entry per line. */
  readonly kind: "line" | "text" | "number" | "lines" | "yaml" | "tools";
  readonly hint?: string;
  readonly suggests?: "voices";
  /** Shown only for an agent that has it. */
  readonly isRare?: boolean;
}

export interface AgentFieldGroup {
  readonly title: string;
  readonly fields: readonly AgentField[];
  /** Shown on demand, because most people rarely need it. */
  readonly isFolded?: boolean;
}

const modelFields = (path: string): readonly AgentField[] => [
  { path: `${path}.deployment_id`, label: "Deployment", kind: "line" },
  { path: `${path}.temperature`, label: "Temperature", kind: "number" },
  { path: `${path}.max_tokens`, label: "Tokens at most", kind: "number" },
];

/** Realtime models have no such parameter. */
const topP: AgentField = { path: "model.cascade.top_p", label: "Top p", kind: "number" };

export const agentFieldGroups: readonly AgentFieldGroup[] = [
  {
    title: "What it says",
    fields: [
      { path: "description", label: "Description", kind: "line", hint: "Other agents decide by it when to hand over." },
      { path: "greeting", label: "Greeting", kind: "text", hint: "Without one, it waits for the caller." },
      { path: "return_greeting", label: "Greeting when the caller comes back", kind: "text" },
      { path: "prompt", label: "Prompt", kind: "text" },
    ],
  },
  {
    title: "Voice",
    fields: [
      { path: "voice.voice_name", label: "Name", kind: "line", suggests: "voices" },
      { path: "voice.voice_style", label: "Style", kind: "line" },
      { path: "voice.voice_rate", label: "Speed", kind: "line", hint: "Such as +5%." },
      { path: "voice.voice_pitch", label: "Pitch", kind: "line", hint: "Such as -2%." },
      { path: "voice.endpoint_id", label: "Custom voice’s deployment", kind: "line", isRare: true },
      { path: "voice.personal_model", label: "Personal voice’s model", kind: "line", isRare: true },
    ],
  },
  {
    title: "Tools",
    fields: [
      { path: "knowledge", label: "Documents it may look things up in, one folder in a line", kind: "lines" },
      { path: "tools", label: "Tools", kind: "tools" },
      { path: "handoff_trigger", label: "Others hand over to it by", kind: "line", hint: "A tool’s name: handoff_…" },
    ],
  },
  {
    title: "What it listens for",
    fields: [
      { path: "speech.phrases", label: "Names and terms, one in a line", kind: "lines" },
      { path: "examples", label: "Sentences that callers say, one in a line", kind: "lines" },
      {
        path: "speech.language",
        label: "Language",
        kind: "line",
        hint: "Such as en-US; as the service is set without one.",
      },
    ],
  },
  {
    title: "Rules and guardrails",
    fields: [
      {
        path: "rules",
        label: "Rules, as in rules.yaml",
        kind: "yaml",
        hint: "What the local model answers by: intents, fallback, arrival, escalation.",
      },
      {
        path: "guardrails",
        label: "Guardrails",
        kind: "yaml",
        hint: "What must not be spoken: by name, a pattern with replace or stop. null removes a built-in one.",
      },
      { path: "template_vars", label: "Variables of the prompt", kind: "yaml" },
      {
        path: "after_call",
        label: "After a call",
        kind: "yaml",
        hint: "What is noted of a conversation once it is over: summary, outcomes, fields.",
      },
    ],
    isFolded: true,
  },
  { title: "Model", fields: [...modelFields("model.cascade"), topP], isFolded: true },
  { title: "Realtime model", fields: modelFields("model.realtime"), isFolded: true },
];

/**
 * The values that apply if the agent's file does not set them: the defaults, and changes made in the running service.
 */
export function inEffect({ model, voice }: Pick<AgentDetails, "model" | "voice">, path: string): string {
  const values: Readonly<Record<string, string | number | null>> = {
    "voice.voice_name": voice.current_voice,
    "voice.voice_style": voice.voice_style,
    "voice.voice_rate": voice.voice_rate,
    "model.cascade.deployment_id": model.deployment_id,
    "model.cascade.temperature": model.temperature,
    "model.cascade.top_p": model.top_p,
    "model.cascade.max_tokens": model.max_tokens,
  };
  return String(values[path] ?? "");
}

export function fieldText(value: unknown): string {
  return Array.isArray(value) ? value.map(textOf).join("\n") : textOf(value);
}

/** Text that is not a number is sent unchanged, so that the service reports it. */
export function fieldValue(kind: Exclude<AgentField["kind"], "yaml" | "tools">, text: string): unknown {
  if (text.trim() === "") return undefined;
  if (kind === "lines") return text.split("\n");
  if (kind !== "number") return text;
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
