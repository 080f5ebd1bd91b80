import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import type { CallLogEntry } from "@voice/shared/state/ports/call-store";
import { describe, expect, it } from "vitest";
import { settings, startCallRig } from "../testing/call-rig.ts";
import { reportedWithinMs, ReportWatch } from "./report-watch.ts";

const aWhileMs = reportedWithinMs + 1000;
const problem = "its reports about calls do not arrive: BASE_URL must lead to the functions app";

describe("the reports of the communication service", () => {
  it("[CB-6] are missed where a call is heard and nothing is reported of it, until one arrives", async () => {
    const rig = await startCallRig();
    const call = await rig.create({ status: "ringing", callConnectionId: "connection-1" });
    await rig.control.recordStream(call, "connection-1");
    await rig.settle(reportedWithinMs - 1000);
    expect(rig.control.problem).toBeUndefined();
    await rig.settle(2000);
    expect(rig.control.problem).toBe(problem);
    await rig.hear("ParticipantsUpdated");
    expect(rig.control.problem).toBeUndefined();
  });

  it("[CB-6] are missed after an incoming call was answered, and after one that rang too long was hung up", async () => {
    const answered = await startCallRig();
    await answered.create({ direction: "inbound", status: "ringing" });
    await answered.publish("answer:call-1", "call.inbound-received", {
      call_id: "call-1",
      incoming_call_context: "context",
    });
    await answered.settle(aWhileMs);
    expect(answered.control.problem).toBe(problem);
    const unanswered = await startCallRig();
    await unanswered.create({ status: "ringing", callConnectionId: "connection-1" });
    await unanswered.settle(settings.commCallTimeoutMs);
    expect(unanswered.control.problem).toBeUndefined();
    await unanswered.settle(aWhileMs + 4000);
    expect(unanswered.control.problem).toBe(problem);
  });

  it("[CB-6] are not missed where they came, on whatever host", async () => {
    const rig = await startCallRig();
    const call = await rig.create({ status: "ringing", callConnectionId: "connection-1" });
    await rig.control.recordStream(call, "connection-1");
    await rig.hear("CallConnected");
    await rig.settle(aWhileMs);
    expect(rig.control.problem).toBeUndefined();
  });

  it("[CB-6] have one line in the log when they stop, and one when they arrive again", async () => {
    const clock = new VirtualClock();
    const lines: string[] = [];
    const say = (_fields: object, sentence: string): void => void lines.push(sentence);
    let events: () => Promise<readonly CallLogEntry[]> = async () => [];
    const logger = { ...silentLogger, info: say, warn: say };
    const watch = new ReportWatch({ calls: { events: () => events() }, clock, logger });
    for (const callId of ["call-1", "call-2"]) watch.expect(callId);
    await clock.advanceAsync(aWhileMs, 1000);
    expect(lines).toEqual([expect.stringContaining("BASE_URL")]);
    events = () => Promise.reject(new VoiceError("cache_connection_failed", "away"));
    watch.expect("call-3");
    await clock.advanceAsync(aWhileMs, 1000);
    expect(lines.at(-1)).toBe("whether a call was reported could not be looked up");
    expect(watch.problem).toBe(problem);
    watch.arrived();
    expect(lines.at(-1)).toBe("the communication service's reports about calls arrive again");
  });
});
