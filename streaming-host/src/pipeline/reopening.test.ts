import { VoiceError } from "@voice/shared/platform/errors";
import { silentLogger } from "@voice/shared/platform/logger";
import { VirtualClock } from "@voice/shared/platform/virtual-clock";
import { expect, it } from "vitest";
import { createReopening } from "./reopening.ts";

it("[PROVIDER-4] logs what was wrong when a connection is opened again, because a code alone names neither provider nor mistake", () => {
  const clock = new VirtualClock();
  const lines: object[] = [];
  const reopening = createReopening({
    what: "recogniser",
    open: () => Promise.resolve(),
    retry: { maxAttempts: 3, backoffFactor: 2, jitter: false },
    random: () => 1,
    clock,
    logger: { ...silentLogger, warn: (fields) => void lines.push(fields) },
    closed: new AbortController().signal,
    onLost: () => undefined,
  });
  const error = new VoiceError("upstream_unavailable", "the provider mine gave a final that is none", {
    retryable: true,
  });
  reopening.lost(error);
  expect(lines).toEqual([
    { what: "recogniser", error, code: "upstream_unavailable", attempt: 1, delayMs: expect.any(Number) },
  ]);
});
