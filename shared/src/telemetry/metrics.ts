/**
 * Every metric of the service. The compiler ensures that code uses only these names, and tests check the dashboards,
 * the alerts and docs/operations.md against them.
 */

export interface MetricDefinition {
  readonly kind: "counter" | "histogram" | "gauge";
  /** In UCUM, as OpenTelemetry requires. */
  readonly unit: string;
  readonly about: string;
  /** The attributes that distinguish its values. */
  readonly by: readonly string[];
  readonly boundaries?: readonly number[];
}

/** Delays that people notice in a conversation are between 100 ms and 5 s; above 20 s something is broken. */
const pauses = [
  100, 200, 300, 400, 500, 600, 800, 1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000, 7500, 10_000, 20_000,
];
const delays = [1, 2, 5, 10, 20, 50, 100, 250, 500, 1000, 5000];
const tokens = [16, 64, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];
/** Seconds, as in the GenAI conventions. */
const operations = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20, 40];
const few = [0, 1, 2, 5];
const shares = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

const conversation = ["mode", "channel"];
const turn = [...conversation, "agent", "prompt_version"];
const use = [...conversation, "agent", "part", "model"];
const request = ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model"];

const moment = (about: string) => ({ kind: "histogram", unit: "ms", about, by: turn, boundaries: pauses }) as const;
const size = (about: string) => ({ kind: "histogram", unit: "{token}", about, by: turn, boundaries: tokens }) as const;
const count = (unit: string, by: readonly string[], about: string) =>
  ({ kind: "counter", unit: `{${unit}}`, about, by }) as const;
const gauge = (unit: string, by: readonly string[], about: string) =>
  ({ kind: "gauge", unit: `{${unit}}`, about, by }) as const;

export const metrics = {
  "voice.turn.recognised": moment("The recogniser's final text arrived."),
  "voice.turn.prepared": moment("An answer was begun before its turn ended, and used: its count beside first_audio's."),
  "voice.turn.preparations_discarded": {
    kind: "histogram",
    unit: "{answer}",
    about: "Answers of a turn that were prepared and thrown away because the caller went on.",
    by: turn,
    boundaries: few,
  },
  "voice.turn.wait": moment("The silence that the estimator of the end of turn asked for, a duration."),
  "voice.turn.end_of_turn_probability": {
    kind: "histogram",
    unit: "1",
    about: "How sure the estimator was that the caller had finished.",
    by: turn,
    boundaries: shares,
  },
  "voice.turn.end_of_turn": moment("The turn was taken to be over."),
  "voice.turn.model_first_token": moment("The model began to answer."),
  "voice.turn.first_clause": moment("The first clause was complete and went to the synthesiser."),
  "voice.turn.synthesis_first_audio": moment("The synthesiser gave its first audio."),
  "voice.turn.filler": moment("A filler was heard because the answer took long."),
  "voice.turn.first_audio": moment("The first frame left for the caller: from stop to audio."),
  "voice.turn.reply_over": moment("The answer was heard to its end, or was cut off."),
  "voice.turn.tools": moment("Time spent in tools, a duration."),
  "voice.turn.input_tokens": size("Tokens that the models read for a turn."),
  "voice.turn.cached_tokens": size("Of these, what the service had read before."),
  "voice.turn.output_tokens": size("Tokens that the models wrote for a turn."),
  "voice.turn.summary_tokens": size("Tokens for the summary of what was long ago."),
  "voice.turn.guardrail_hits": {
    kind: "histogram",
    unit: "{clause}",
    about: "Clauses in which the agent was about to say what it may not.",
    by: turn,
    boundaries: few,
  },
  "voice.usage.tokens": count("token", [...use, "type"], "Tokens by kind, as their service counts them (COST-1)."),
  "voice.usage.audio": { kind: "counter", unit: "s", about: "Speech that was recognised or synthesised.", by: use },
  "voice.usage.characters": count("character", use, "Characters that a synthesiser was given to speak."),
  "voice.usage.calls": { kind: "counter", unit: "s", about: "Time of phone calls.", by: use },
  "voice.cost": count("currency", [...use, "currency"], "What was used, at the prices of PRICES_FILE."),
  "voice.cost.unpriced": count("use", use, "Uses without a price, which voice.cost lacks."),
  "voice.turns": count(
    "turn",
    [...conversation, "outcome"],
    "Turns of callers: complete, cut (by the model), interrupted (by the caller), failed, superseded or abandoned (the call ended).",
  ),
  "voice.dead_air": count("event", conversation, "Times that a caller heard nothing for too long."),
  "voice.barge_ins": count("interruption", conversation, "Answers that a caller interrupted."),
  "voice.false_interruptions": count("event", conversation, "Sounds that held an answer up and were no speech."),
  "voice.handoffs": count("handoff", [...conversation, "type"], "Conversations that went from one agent to another."),
  "voice.tool.calls": count(
    "call",
    ["tool", "outcome"],
    "Tool calls: success or error. The tool is `unknown` where none has the name that a model wrote.",
  ),
  "voice.calls.requested": count(
    "request",
    ["outcome"],
    "Requests to place a phone call: accepted, or why they were refused: role_missing, number_special, destination_not_allowed, number_not_callable, quota_exceeded or another error.",
  ),
  "voice.takeovers": count("call", conversation, "Calls that this host went on with after another host."),
  "voice.recoveries": count("stream", [], "Audio streams of calls that were asked for again."),
  "voice.errors": count("error", ["code"], "Errors that a peer was told of."),
  "voice.upstream.errors": count(
    "error",
    ["part", "code"],
    "Failures of what conversations need, by part: recogniser, model, voice, realtime-model, transcription (of what a realtime model hears), calls (the telephone service), state (the cache), live-relay.",
  ),
  "voice.realtime.repairs": count(
    "session",
    ["part", "how"],
    "Sessions of the realtime model that went on without a part of their settings, or with another one, because the service refuses it: left_out or replaced.",
  ),
  "voice.model.repairs": count(
    "repair",
    ["repair"],
    "What was changed in a request that the language model's server had refused, and that it then accepted; once for each thing learnt.",
  ),
  "voice.fallbacks": count("conversation", ["code"], "Conversations that went on without their realtime model."),
  "voice.tool_rounds.spent": count("turn", [], "Turns in which a model called tools as often as it may."),
  "voice.answers.cut": count("answer", ["cause"], "Answers that the model did not bring to an end."),
  "voice.recording.ended": count("recording", ["status"], "Recordings, by how they ended."),
  "voice.recording.lost": { kind: "counter", unit: "ms", about: "Audio that the storage did not take.", by: [] },
  "voice.recording.storage_failures": count("failure", [], "Writes that failed; they are tried again."),
  "voice.archive": count(
    "conversation",
    ["outcome"],
    "Conversations that were to be archived, and whose archive did or did not take them: kept, late (it has refused them for over ten minutes) or given_up.",
  ),
  "voice.after_call": count(
    "conversation",
    ["outcome"],
    "Conversations of which it was to be noted what came of them: written, postponed (a model did not answer as asked) or given_up.",
  ),
  "voice.webhooks": count(
    "attempt",
    ["type", "outcome"],
    "Deliveries to receivers of webhooks: delivered, postponed, late (postponed for the fifth time, so that its receiver has not accepted it for over ten minutes) or given_up.",
  ),
  "voice.call_events.given_up": count(
    "event",
    ["type"],
    "Events of calls that no host could handle, however often it was tried: what they report or ask for did not happen.",
  ),
  "voice.host.sessions": gauge("session", ["channel"], "Conversations that this host has, by channel."),
  "voice.host.capacity": gauge("session", [], "Conversations that this host may have."),
  "voice.host.draining": gauge("host", [], "1 while this host takes no more."),
  "voice.host.part_down": gauge(
    "part",
    ["part"],
    "1 while this host cannot use a part, 0 while it can: recogniser, model, voice, realtime-model or calls, as far as it knows.",
  ),
  "voice.host.event_loop_delay": {
    kind: "histogram",
    unit: "ms",
    about: "How late this host's thread is: the 99th percentile of each second.",
    by: [],
    boundaries: delays,
  },
  "voice.speech_pool.warm": gauge("client", ["kind"], "Speech clients that wait, by kind."),
  "voice.speech_pool.target": gauge("client", ["kind"], "Speech clients that should wait, by kind."),
  "voice.speech_pool.cold": gauge(
    "client",
    ["kind"],
    "Speech clients that had to be made while somebody waited, since the start.",
  ),
  "gen_ai.client.token.usage": {
    kind: "histogram",
    unit: "{token}",
    about: "Tokens of each request to a model.",
    by: [...request, "gen_ai.token.type"],
    boundaries: tokens,
  },
  "gen_ai.client.operation.duration": {
    kind: "histogram",
    unit: "s",
    about: "How long each request to a model took.",
    by: [...request, "error.type"],
    boundaries: operations,
  },
  "http.server.request.duration": {
    kind: "histogram",
    unit: "s",
    about: "How long a request to the API took.",
    by: ["http.request.method", "http.route", "http.response.status_code"],
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof metrics;
export type MetricOf<Kind extends MetricDefinition["kind"]> = {
  [Name in MetricName]: (typeof metrics)[Name]["kind"] extends Kind ? Name : never;
}[MetricName];

export function metricNames<Kind extends MetricDefinition["kind"]>(kind: Kind): readonly MetricOf<Kind>[] {
  const known: Readonly<Record<string, MetricDefinition>> = metrics;
  const isOfKind = (name: string): name is MetricOf<Kind> => known[name]?.kind === kind;
  return Object.keys(metrics).filter(isOfKind);
}

/** The name in Prometheus's notation. */
export function prometheusName(name: MetricName): string {
  const known: MetricDefinition = metrics[name];
  return `${name.replaceAll(".", "_")}${known.kind === "counter" ? "_total" : ""}`;
}
