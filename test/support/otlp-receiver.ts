/** A collector for OTLP over HTTP: what the service exports, read from protobuf as a collector reads it. */
import { listen } from "../../local/emulators/listen.ts";

export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly events: readonly string[];
  readonly isError: boolean;
}

interface ReceivedMetric {
  readonly unit: string;
  readonly kind: "counter" | "gauge" | "histogram";
  /** The names of the attributes of any of its values. */
  readonly attributes: ReadonlySet<string>;
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly metrics: ReadonlyMap<string, ReceivedMetric>;
  readonly logs: readonly { readonly body: string; readonly traceId: string }[];
  /** All received bodies, byte for byte. */
  text(): string;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: Buffer[] = [];
  const spans: ReceivedSpan[] = [];
  const metrics = new Map<string, ReceivedMetric>();
  const logs: { body: string; traceId: string }[] = [];

  function take(path: string, body: Buffer): void {
    const parts = messagesAt(readMessage(body), 1);
    if (path === "/v1/traces") spans.push(...parts.flatMap(spansOf));
    if (path === "/v1/metrics")
      for (const [name, { attributes, ...metric }] of parts.flatMap(metricsOf))
        metrics.set(name, {
          ...metric,
          attributes: new Set([...attributes, ...(metrics.get(name)?.attributes ?? [])]),
        });
    if (path === "/v1/logs") logs.push(...parts.flatMap(logsOf));
  }

  const listening = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      bodies.push(body);
      take(request.url ?? "", body);
      response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    });
  });
  return {
    url: `http://${listening.host}`,
    spans,
    metrics,
    logs,
    text: () => Buffer.concat(bodies).toString("latin1"),
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

function spansOf(resourceSpans: Message): ReceivedSpan[] {
  const service = serviceOf(resourceSpans);
  return messagesAt(resourceSpans, 2)
    .flatMap((scope) => messagesAt(scope, 2))
    .map((span) => ({
      service,
      name: bytesAt(span, 5).toString(),
      traceId: bytesAt(span, 1).toString("hex"),
      spanId: bytesAt(span, 2).toString("hex"),
      parentSpanId: bytesAt(span, 4).toString("hex"),
      startMs: Number(numberAt(span, 7)) / 1e6,
      endMs: Number(numberAt(span, 8)) / 1e6,
      attributes: attributesOf(span, 9),
      events: messagesAt(span, 11).map((event) => bytesAt(event, 2).toString()),
      isError: messagesAt(span, 15).some((status) => numberAt(status, 3) === 2n),
    }));
}

/** The field in which a metric has its values, and the field of a value in which its attributes are. */
const metricKinds = [
  { kind: "gauge", field: 5, attributes: 7 },
  { kind: "counter", field: 7, attributes: 7 },
  { kind: "histogram", field: 9, attributes: 9 },
] as const;

function metricsOf(resourceMetrics: Message): (readonly [string, ReceivedMetric])[] {
  const received = messagesAt(resourceMetrics, 2).flatMap((scope) => messagesAt(scope, 2));
  return received.flatMap((metric) =>
    metricKinds
      .filter(({ field }) => metric.has(field))
      .map(({ kind, field, attributes }) => {
        const values = messagesAt(metric, field).flatMap((data) => messagesAt(data, 1));
        const names = new Set(values.flatMap((value) => Object.keys(attributesOf(value, attributes))));
        return [
          bytesAt(metric, 1).toString(),
          { unit: bytesAt(metric, 3).toString(), kind, attributes: names },
        ] as const;
      }),
  );
}

function logsOf(resourceLogs: Message): { readonly body: string; readonly traceId: string }[] {
  return messagesAt(resourceLogs, 2)
    .flatMap((scope) => messagesAt(scope, 2))
    .map((record) => ({
      body: messagesAt(record, 5)
        .map((value) => bytesAt(value, 1).toString())
        .join(""),
      traceId: bytesAt(record, 9).toString("hex"),
    }));
}

function serviceOf(message: Message): string {
  return messagesAt(message, 1).map((resource) => String(attributesOf(resource, 1)["service.name"]))[0] ?? "";
}

function attributesOf(message: Message, field: number): ReceivedSpan["attributes"] {
  return Object.fromEntries(
    messagesAt(message, field).map((attribute): [string, string | number | boolean] => [
      bytesAt(attribute, 1).toString(),
      messagesAt(attribute, 2).map(plainValue)[0] ?? "",
    ]),
  );
}

function plainValue(value: Message): string | number | boolean {
  if (value.has(1)) return bytesAt(value, 1).toString();
  if (value.has(2)) return numberAt(value, 2) === 1n;
  if (value.has(3)) return Number(BigInt.asIntN(64, numberAt(value, 3)));
  const bits = Buffer.alloc(8);
  bits.writeBigUInt64LE(numberAt(value, 4));
  return bits.readDoubleLE();
}

/** Every value of every field: bytes of what has a length (a message, a text), and numbers. */
type Message = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/** Protocol buffers as they stand on the wire: numbered fields, without a schema. As much of it as OTLP needs. */
function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  function take(length: number): Buffer {
    at += length;
    return bytes.subarray(at - length, at);
  }

  function value(wireType: number): Buffer | bigint {
    if (wireType === 0) return varint();
    if (wireType === 1) return take(8).readBigUInt64LE();
    if (wireType === 2) return take(Number(varint()));
    if (wireType === 5) return BigInt(take(4).readUInt32LE());
    throw new Error(`no wire type of protocol buffers: ${wireType}`);
  }

  while (at < bytes.length) {
    const key = Number(varint());
    const values = fields.get(key >> 3) ?? [];
    values.push(value(key & 7));
    fields.set(key >> 3, values);
  }
  return fields;
}

function messagesAt(message: Message, field: number): Message[] {
  return (message.get(field) ?? []).flatMap((value) => (typeof value === "bigint" ? [] : [readMessage(value)]));
}

function bytesAt(message: Message, field: number): Buffer {
  const [value] = message.get(field) ?? [];
  return value === undefined || typeof value === "bigint" ? Buffer.alloc(0) : value;
}

function numberAt(message: Message, field: number): bigint {
  const [value] = message.get(field) ?? [];
  return typeof value === "bigint" ? value : 0n;
}
