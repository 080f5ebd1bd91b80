/** One server under the load of some callers, for some seconds. */
import { setTimeout as sleep } from "node:timers/promises";
import { addHeard, Caller, nothingHeard, type Heard } from "./caller.ts";
import { CallersClock, starvedBetween } from "./disturbance.ts";
import type { Disturbance } from "./disturbance.ts";
import { startLoadProcess } from "./load-process.ts";
import type { SelfTime } from "./profile.ts";
import type { Subject } from "./subjects.ts";

export interface LoadPlan {
  readonly sessions: number;
  /** Turns that are not counted: a host that has been up for a while has compiled what it runs. */
  readonly warmUpMs: number;
  /** How many callers talk at least during the warm-up; those that are not measured leave at its end. */
  readonly leastCallers: number;
  readonly windowMs: number;
  /** How long it takes until greetings have begun, and the memory that connecting took has become garbage. */
  readonly settleMs: number;
  /** The server's own core; absent: the system decides. */
  readonly core?: number | undefined;
  /** Flags of Node for the server. */
  readonly flags?: readonly string[] | undefined;
  /** Slower, and says where the time goes. */
  readonly profiles?: boolean | undefined;
}

export interface Measurement extends Disturbance {
  readonly firstAudioMs: readonly number[];
  readonly stopMs: readonly number[];
  readonly turns: number;
  readonly lostTurns: number;
  readonly lostStops: number;
  readonly strayFrames: number;
  readonly worstLatenessMs: number;
  /** Callers whose connection had ended. */
  readonly lostCallers: number;
  readonly cpuMsPerSessionSecond: number;
  readonly heapKbPerSession: number;
  readonly rssMb: number;
  readonly minorPausesMs: readonly number[];
  readonly majorPausesMs: readonly number[];
  readonly stagesUs: readonly (readonly number[])[];
  /** Absent where the plan does not ask for it. */
  readonly profile?: readonly SelfTime[] | undefined;
}

/** Connections per batch: connecting everybody at once would measure the queue of a listening socket. */
const batch = 20;
/** These come and go before the memory is measured that the others take: what the first callers have compiled belongs to nobody. */
const firstCallers = { count: 5, fromIndex: 590 };
export async function measure(subject: Subject, plan: LoadPlan): Promise<Measurement> {
  await using parts = new AsyncDisposableStack();
  const start = async (file: string, options: Parameters<typeof startLoadProcess>[1]) => {
    const started = await startLoadProcess(file, options);
    parts.defer(() => started.stop());
    return started;
  };
  const service = subject.needsService ? await start("realtime-service-process.ts", {}) : undefined;
  const serviceUrl = service === undefined ? "" : `http://127.0.0.1:${service.port}`;
  const args = [...subject.args, serviceUrl];
  const server = await start(subject.file, {
    args,
    ...(plan.core === undefined ? {} : { core: plan.core }),
    ...(plan.flags === undefined ? {} : { flags: plan.flags }),
  });
  const callers: Caller[] = [];
  parts.defer(() => {
    for (const caller of callers) caller.close();
  });
  let talks = false;
  const callersClock = new CallersClock((nowMs) => {
    for (const caller of callers) caller.tick(nowMs, talks);
  });
  parts.defer(() => callersClock.stop());
  callers.push(...(await connect(subject, server.port, firstCallers)));
  await sleep(plan.settleMs);
  for (const caller of callers.splice(0)) caller.close();
  await sleep(plan.settleMs);
  const before = await server.read("settle");
  callers.push(...(await connect(subject, server.port, { count: plan.sessions, fromIndex: 0 })));
  await sleep(plan.settleMs);
  const connected = await server.read("settle");
  const others = { count: Math.max(0, plan.leastCallers - plan.sessions), fromIndex: plan.sessions };
  callers.push(...(await connect(subject, server.port, others)));
  talks = true;
  await sleep(plan.warmUpMs);
  for (const caller of callers.splice(plan.sessions)) caller.close();
  await sleep(plan.settleMs);
  if (plan.profiles === true) await server.startProfile(); // which stops the server for a tenth of a second
  for (const caller of callers) caller.reset();
  const from = await server.read("now");
  const fromMs = performance.now();
  callersClock.worstMs = 0;
  await sleep(plan.windowMs);
  const callersLateMs = callersClock.worstMs;
  const to = await server.read("now");
  const seconds = (performance.now() - fromMs) / 1000;
  const profile = plan.profiles === true ? await server.stopProfile() : undefined;
  const lostCallers = callers.filter(({ endedBecause }) => endedBecause !== undefined).length;
  return {
    ...sum(callers.map((caller) => caller.take())),
    lostCallers,
    starvedMs: starvedBetween(from, to),
    callersLateMs,
    cpuMsPerSessionSecond: (to.cpuMs - from.cpuMs) / plan.sessions / seconds,
    heapKbPerSession: (connected.heapBytes - before.heapBytes) / 1024 / plan.sessions,
    rssMb: to.rssBytes / 1024 / 1024,
    minorPausesMs: to.collections.minor,
    majorPausesMs: to.collections.major,
    stagesUs: to.stagesUs,
    profile,
  };
}

async function connect(
  subject: Subject,
  port: number,
  { count, fromIndex }: { readonly count: number; readonly fromIndex: number },
): Promise<Caller[]> {
  const startMs = performance.now();
  const callers: Caller[] = [];
  while (callers.length < count) {
    const some = Array.from({ length: Math.min(batch, count - callers.length) }, async (_, at) => {
      const number = callers.length + at;
      const caller = new Caller(subject.wire, startMs, number / count);
      const index = fromIndex + number;
      await caller.connect(subject.url(port, index), index, subject.headers?.(index));
      return caller;
    });
    callers.push(...(await Promise.all(some)));
  }
  return callers;
}

function sum(all: readonly Heard[]): Heard {
  const total = nothingHeard();
  for (const heard of all) addHeard(total, heard);
  return total;
}
