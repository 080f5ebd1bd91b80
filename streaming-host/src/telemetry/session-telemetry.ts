/** A conversation's telemetry: one span for its time on this host, with its replies as child spans, and metrics. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { partsOf } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { usageEntries, usageUnits } from "@voice/shared/costs/usage";
import type { Usage, UsageUnit } from "@voice/shared/costs/usage";
import type { Attributes, Span, Telemetry } from "@voice/shared/telemetry/telemetry";
import type { Host } from "../host/host.ts";
import type { Conversation } from "../session/conversation/conversation.ts";
import type { ConversationRequest } from "../session/conversation/open-conversation.ts";
import type { SessionProbe } from "../session/output/session-probe.ts";
import type { SessionNotice } from "../transports/transport.ts";
import { isFailedEnd, knownEndReason } from "./end-reason.ts";
import { reportReply } from "./reply-telemetry.ts";
import type { MetricOf } from "@voice/shared/telemetry/metrics";

export interface SessionTelemetry extends SessionProbe {
  readonly traceparent: string | undefined;
  noticed(notice: SessionNotice): void;
  used(usage: Usage): void;
  ended(reason: string): void;
}

export class ConversationTelemetry {
  readonly #host: Host;
  /** Uses only the names of the service. */
  readonly #telemetry: Telemetry;

  constructor(host: Host, catalog: Catalog) {
    this.#host = host;
    this.#telemetry = withNamesOfService(host.telemetry, catalog);
  }

  /** The span is started before the conversation, whose record stores the trace id. */
  begin(request: ConversationRequest): {
    /** Stored in the record of a new conversation. */
    readonly traceparent: string | undefined;
    watch(conversation: Conversation, resumed: boolean): SessionTelemetry;
  } {
    const { clock } = this.#host;
    const name = request.channel === "phone" ? "call" : "conversation";
    const begin = (parent: string | undefined): Span =>
      this.#telemetry.span({ name, parent, startMs: clock.wallNow() });
    const begun = begin(request.traceparent);
    return {
      traceparent: begun.traceparent,
      watch: (conversation, resumed) => {
        const known = conversation.record.traceparent;
        // A resumed conversation stays in its trace. The span that was started in case it was new never ends, and so is never exported.
        const span = known === undefined || known === begun.traceparent ? begun : begin(known);
        return this.#watch(conversation, { callId: request.callId, resumed, span });
      },
    };
  }

  #watch(
    conversation: Conversation,
    { callId, resumed, span }: { readonly callId: string | undefined; readonly resumed: boolean; readonly span: Span },
  ): SessionTelemetry {
    const telemetry = this.#telemetry;
    const { failures, settings, clock } = this.#host;
    const { sessionId, streamingMode: mode, channel, scenario } = conversation.record;
    const modelProvider = modelProviderOf(settings, mode);
    const ids: Attributes = {
      "session.id": sessionId,
      "gen_ai.conversation.id": sessionId,
      ...(callId === undefined ? {} : { "voice.call.id": callId }),
    };
    const metricAttributes = { mode, channel };
    span.add({ ...ids, "voice.mode": mode, "voice.channel": channel, "voice.scenario": scenario });
    span.add({ "voice.host.id": this.#host.id, "voice.resumed": resumed });
    if (resumed && channel === "phone") telemetry.count("voice.takeovers", metricAttributes);

    return {
      traceparent: span.traceparent,
      wantsActivities: true,
      decided(effect) {
        if (effect.type === "report-silence") telemetry.count("voice.dead_air", metricAttributes);
        if (effect.type === "resume-playout") telemetry.count("voice.false_interruptions", metricAttributes);
        if (effect.type === "cancel-reply" && effect.reason === "barge_in")
          telemetry.count("voice.barge_ins", metricAttributes);
      },
      replied(reply) {
        const spanAttributes = { ...ids, "voice.mode": mode };
        const promptVersion = conversation.catalog.agent(reply.agent)?.promptVersion;
        const parent = span.traceparent;
        reportReply(telemetry, reply, { parent, spanAttributes, metricAttributes, modelProvider, promptVersion });
      },
      upstreamFailed(part, { code, reason }) {
        telemetry.count("voice.upstream.errors", { part, code });
        failures.note({ part, code, reason, sessionId });
        span.event(`${part} failed: ${code}`, clock.wallNow());
      },
      settingsRepaired({ part, how }) {
        // Elements of a list, such as tools, are counted together, because their number has no limit.
        const [counted = part] = part.split("[");
        telemetry.count("voice.realtime.repairs", { part: counted, how });
      },
      silent(part, { code, reason }) {
        span.event(`${part} silent: ${code}`, clock.wallNow());
        failures.note({ part, code, reason, sessionId });
      },
      noticed(notice) {
        if (notice.type === "audio_levels") return;
        if (notice.type === "error") telemetry.count("voice.errors", { code: notice.payload.code });
        if (notice.type === "handoff")
          telemetry.count("voice.handoffs", { ...metricAttributes, type: notice.payload.type });
        if (notice.type === "event" && notice.payload.name === "fallback")
          telemetry.count("voice.fallbacks", { code: notice.payload.reason });
        if (notice.type === "event" && notice.payload.name === "answer_cut")
          telemetry.count("voice.answers.cut", { cause: notice.payload.cause });
        if (notice.type === "event" && notice.payload.name === "tool_rounds_spent")
          telemetry.count("voice.tool_rounds.spent", {});
      },
      used: (usage) => reportUsage(telemetry, usage, metricAttributes),
      ended(reason) {
        span.add({ "voice.end_reason": knownEndReason(reason) });
        if (isFailedEnd(reason)) span.fail(reason);
        span.end(clock.wallNow());
      },
    };
  }
}

/** The name in OpenTelemetry's GenAI conventions, if there is one. */
function modelProviderOf(settings: Settings, mode: string): string {
  const { realtimeModel, languageModel } = partsOf(settings);
  const part = mode === "VOICE_LIVE" ? realtimeModel : languageModel;
  if (part.kind === "own") return "own";
  if (part.kind === "voice-live" || ("named" in part && part.named === "cloud")) return "azure.ai.openai";
  return part.kind === "openai" ? "openai" : "local";
}

const other = "other";

/**
 * Agents that clients define may have any name, and a new one each time. Metrics keep one series per name and are read by everybody who
 * operates the service, so all such agents share one name. Telemetry whose metrics contain only the catalog's agent names, and only the
 * models that its agents request.
 */
function withNamesOfService(telemetry: Telemetry, { agents }: Pick<Catalog, "agents">): Telemetry {
  const known: ReadonlyMap<string, ReadonlySet<unknown>> = new Map([
    ["agent", new Set([...agents.values()].map(({ name }) => name))],
    ["gen_ai.request.model", new Set([...agents.values()].map(({ model }) => model.cascade.deploymentId))],
  ]);
  const bounded = (attributes: Attributes = {}): Attributes =>
    Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, known.get(key)?.has(value) === false ? other : value]),
    );
  return {
    isOn: telemetry.isOn,
    span: (start) => telemetry.span(start),
    count: (name, attributes, value) => telemetry.count(name, bounded(attributes), value),
    record: (name, value, attributes) => telemetry.record(name, value, bounded(attributes)),
    observe: (name, read) => telemetry.observe(name, read),
  };
}

const tokenSuffix = "_tokens";

function reportUsage(telemetry: Telemetry, usage: Usage, conversation: Attributes): void {
  for (const { part, model, agent, quantities, cost, unpriced } of usageEntries(usage)) {
    const by = { ...conversation, agent, part, model };
    for (const unit of usageUnits) {
      const amount = quantities[unit];
      if (amount === undefined) continue;
      const type = unit.endsWith(tokenSuffix) ? { type: unit.slice(0, -tokenSuffix.length) } : {};
      telemetry.count(metricOf(unit), { ...by, ...type }, amount);
    }
    if (cost !== undefined) telemetry.count("voice.cost", { ...by, currency: cost.currency }, cost.amount);
    if (unpriced > 0) telemetry.count("voice.cost.unpriced", by, unpriced);
  }
}

function metricOf(unit: UsageUnit): MetricOf<"counter"> {
  if (unit === "audio_seconds") return "voice.usage.audio";
  if (unit === "characters") return "voice.usage.characters";
  return unit === "call_seconds" ? "voice.usage.calls" : "voice.usage.tokens";
}
