/**
 * Reports one reply as a span with child spans for its parts, and as metrics. The span is created when the reply has ended, because only
 * then are its parts known.
 */
import type { Attributes, Telemetry } from "@voice/shared/telemetry/telemetry";
import type { MetricOf } from "@voice/shared/telemetry/metrics";
import type { EndedReply } from "../session/output/session-probe.ts";
import type { TurnActivity } from "../session/output/turn-activities.ts";
import { turnMarks, turnMoments } from "../session/output/turn-timeline.ts";
import type { TurnMark } from "../session/output/turn-timeline.ts";

export interface ReplyContext {
  readonly parent: string | undefined;
  /** Attributes of every span: ids, and what distinguishes conversations. */
  readonly spanAttributes: Attributes;
  /** Attributes of every metric: what distinguishes conversations, without ids. */
  readonly metricAttributes: Attributes;
  /** The model provider, named as in the GenAI conventions. */
  readonly modelProvider: string;
  /** The prompt version that was used, for an agent that has several. */
  readonly promptVersion?: string | undefined;
}

const outcomes = {
  complete: "complete",
  barge_in: "interrupted",
  dead_air: "failed",
  superseded: "superseded",
  passed_on: "failed",
  ended: "abandoned",
} as const satisfies Readonly<Record<EndedReply["ending"], string>>;

/** `first_audio_ms` is measured in `voice.turn.first_audio`. */
export function metricOf(mark: TurnMark): MetricOf<"histogram"> {
  return marksOfMetrics[mark];
}

const marksOfMetrics = {
  recognised_ms: "voice.turn.recognised",
  prepared_ms: "voice.turn.prepared",
  preparations_discarded: "voice.turn.preparations_discarded",
  wait_ms: "voice.turn.wait",
  end_of_turn_probability: "voice.turn.end_of_turn_probability",
  end_of_turn_ms: "voice.turn.end_of_turn",
  model_first_token_ms: "voice.turn.model_first_token",
  first_clause_ms: "voice.turn.first_clause",
  synthesis_first_audio_ms: "voice.turn.synthesis_first_audio",
  filler_ms: "voice.turn.filler",
  first_audio_ms: "voice.turn.first_audio",
  reply_over_ms: "voice.turn.reply_over",
  tools_ms: "voice.turn.tools",
  input_tokens: "voice.turn.input_tokens",
  cached_tokens: "voice.turn.cached_tokens",
  output_tokens: "voice.turn.output_tokens",
  summary_tokens: "voice.turn.summary_tokens",
  guardrail_hits: "voice.turn.guardrail_hits",
} as const satisfies Readonly<Record<TurnMark, MetricOf<"histogram">>>;

export function reportReply(telemetry: Telemetry, reply: EndedReply, context: ReplyContext): void {
  const { metricAttributes } = context;
  const outcome = outcomeOf(reply);
  if (reply.anchorMs !== undefined) {
    telemetry.count("voice.turns", { ...metricAttributes, outcome });
    const { promptVersion } = context;
    const version = promptVersion === undefined ? {} : { prompt_version: promptVersion };
    const attributes = { ...metricAttributes, agent: reply.agent, ...version };
    for (const mark of turnMarks) {
      const value = reply.marks[mark];
      if (value !== undefined) telemetry.record(metricOf(mark), value, attributes);
    }
  }
  for (const activity of reply.activities) measureActivity(telemetry, activity, context);
  if (telemetry.isOn) traceReply(telemetry, reply, { ...context, outcome });
}

function outcomeOf({ ending, cut }: EndedReply): string {
  return ending === "complete" && cut !== undefined ? "cut" : outcomes[ending];
}

function traceReply(
  telemetry: Telemetry,
  reply: EndedReply,
  { parent, spanAttributes, modelProvider, promptVersion, outcome }: ReplyContext & { readonly outcome: string },
): void {
  const { anchorMs, endMs, activities, marks, ending } = reply;
  const toWall = (atMs: number): number => reply.endWallMs - (endMs - atMs);
  const startMs = Math.min(anchorMs ?? endMs, ...activities.map((activity) => activity.startMs));
  const span = telemetry.span({
    name: "turn",
    parent,
    startMs: toWall(startMs),
    attributes: {
      ...spanAttributes,
      "voice.turn.id": reply.turnId,
      "voice.turn.kind": reply.kind,
      "voice.turn.outcome": outcome,
      "gen_ai.agent.name": reply.agent,
      ...(promptVersion === undefined ? {} : { "voice.prompt.version": promptVersion }),
      ...Object.fromEntries(Object.entries(marks).map(([mark, value]) => [`voice.turn.${mark}`, value])),
    },
  });
  if (anchorMs !== undefined) {
    span.event("caller_stopped", toWall(anchorMs));
    for (const mark of turnMoments)
      if (marks[mark] !== undefined) span.event(mark.slice(0, -"_ms".length), toWall(anchorMs + marks[mark]));
  }
  if (outcome === "failed") span.fail(ending);
  for (const activity of activities) {
    const { part, name, errorType } = activity;
    const provider: Attributes = part === "model" ? { "gen_ai.provider.name": modelProvider } : {};
    const child = telemetry.span({
      name,
      kind: part === "tool" ? "internal" : "client",
      parent: span.traceparent,
      startMs: toWall(activity.startMs),
      attributes: { ...spanAttributes, "voice.turn.id": reply.turnId, ...provider, ...activity.attributes },
    });
    // Where the reply was given up because the agent was silent, the unfinished activity is what the caller waited for.
    const failure =
      errorType ?? (ending === "dead_air" && activity.attributes["voice.cancelled"] === true ? ending : undefined);
    if (failure !== undefined) child.fail(failure);
    child.end(toWall(activity.endMs));
  }
  span.end(toWall(endMs));
}

function measureActivity(telemetry: Telemetry, activity: TurnActivity, { modelProvider }: ReplyContext): void {
  const { part, startMs, endMs, attributes, errorType } = activity;
  if (part === "tool")
    telemetry.count("voice.tool.calls", {
      tool: attributes["gen_ai.tool.name"] ?? "",
      outcome: errorType === undefined ? "success" : "error",
    });
  if (part !== "model") return;
  const about = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": modelProvider,
    ...pick(attributes, "gen_ai.request.model"),
  };
  const failure = errorType === undefined ? {} : { "error.type": errorType };
  telemetry.record("gen_ai.client.operation.duration", (endMs - startMs) / 1000, { ...about, ...failure });
  for (const type of ["input", "output"]) {
    const used = attributes[`gen_ai.usage.${type}_tokens`];
    if (typeof used === "number")
      telemetry.record("gen_ai.client.token.usage", used, { ...about, "gen_ai.token.type": type });
  }
}

function pick(attributes: Attributes, name: string): Attributes {
  const value = attributes[name];
  return value === undefined ? {} : { [name]: value };
}
