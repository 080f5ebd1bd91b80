import type { Synthesiser } from "@voice/provider-kit/ports/synthesiser";
import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import { UpstreamAccessError, VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { describe, expect, it } from "vitest";
import { withSuccessor } from "./successor.ts";

const request = { text: "Hello.", voice: { name: "alloy" }, language: "en-US", sampleRateHz: 16_000 };

function rig(failure: Error | undefined, samplesBefore = 0) {
  const asked: string[] = [];
  const one = (name: string, error?: Error): Synthesiser => ({
    async synthesise(_request, { onAudio }) {
      asked.push(name);
      if (samplesBefore > 0) onAudio(new Int16Array(samplesBefore));
      if (error !== undefined) throw error;
    },
    pool: () => ({ ...emptyPool, ready: true }),
    close: async () => void asked.push(`${name} closed`),
  });
  const synthesiser = withSuccessor(
    one("speech", failure),
    { model: "gpt-realtime", create: () => one("realtime") },
    silentLogger,
  );
  const standIns: string[] = [];
  const speak = () =>
    synthesiser.synthesise(
      { ...request, onStandIn: (model) => standIns.push(model) },
      { onAudio: () => undefined, onWord: () => undefined },
      new AbortController().signal,
    );
  return { synthesiser, speak, asked, standIns };
}

describe("OpenAI's voice", () => {
  it("is that of the speech model as long as there is one", async () => {
    const { synthesiser, speak, asked, standIns } = rig(undefined);
    await speak();
    await synthesiser.close();
    expect(standIns).toEqual([]);
    expect(asked).toEqual(["speech", "speech closed"]);
  });

  it("is the realtime model's from the clause on for which the speech model is gone, and says so", async () => {
    const { synthesiser, speak, asked, standIns } = rig(
      new UpstreamAccessError("speech synthesis answered 404", "404"),
    );
    await speak();
    await speak();
    await synthesiser.close();
    expect(standIns).toEqual(["gpt-realtime", "gpt-realtime"]);
    expect(asked).toEqual(["speech", "realtime", "realtime", "speech closed", "realtime closed"]);
  });

  it("is not changed by a failure that passes, nor in the middle of a clause", async () => {
    const passing = rig(new VoiceError("upstream_unavailable", "away"));
    await expect(passing.speak()).rejects.toMatchObject({ code: "upstream_unavailable" });
    const broken = rig(new UpstreamAccessError("speech synthesis answered 404", "404"), 160);
    await expect(broken.speak()).rejects.toMatchObject({ retryable: false });
    expect([...passing.asked, ...broken.asked]).toEqual(["speech", "speech"]);
  });
});
