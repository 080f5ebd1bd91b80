import { emptyPool } from "@voice/provider-kit/ports/empty-pool";
import { VoiceError } from "@voice/shared/platform/errors";
import type { UpstreamHealth } from "@voice/shared/platform/upstream";
import { describe, expect, it } from "vitest";
import { modelStatus, ownStatus, poolStatus } from "./provider-status.ts";

const unreachable = new VoiceError("upstream_unavailable", "fetch failed", {
  reason: "the language model's endpoint could not be reached",
});

function model(status: UpstreamHealth["status"], reached: Parameters<typeof modelStatus>[2]) {
  return modelStatus("openai", { "gpt-own": { status } }, reached);
}

describe("[OPS-30] the status of a model", () => {
  it("rests on what it has answered lately, whatever a small request finds", () => {
    expect(model("healthy", unreachable)).toEqual({ name: "openai", healthy: true, basis: "answered" });
    expect(model("down", "reached")).toMatchObject({ healthy: false, error: "deployment gpt-own is down (unknown)" });
  });

  it.each(["unknown", "probing"] as const)("rests on the small request while it is %s", (status) => {
    expect(model(status, "reached")).toEqual({ name: "openai", healthy: true, basis: "reached" });
    expect(model(status, unreachable)).toEqual({
      name: "openai",
      healthy: false,
      error: "the language model's endpoint could not be reached",
    });
  });

  it("is not well before anything has been requested from it", () => {
    expect(modelStatus("openai", {}, "not-asked")).toMatchObject({ healthy: false, basis: "not-asked" });
  });

  it("of a module of one's own is taken for well, and says whether it has ever answered", () => {
    expect(ownStatus("mine", "not-asked")).toEqual({ name: "mine", healthy: true, basis: "not-asked" });
  });
});

it("[OPS-30] the status of speech says what it rests on, where its provider knows", () => {
  const ready = { ...emptyPool, ready: true };
  expect(poolStatus("azure", { ...ready, basis: "reached" })).toEqual({
    name: "azure",
    healthy: true,
    basis: "reached",
  });
  expect(poolStatus("local", ready)).toEqual({ name: "local", healthy: true });
  expect(poolStatus("azure", { ...ready, lastErrorCode: "upstream_timeout" })).toMatchObject({ healthy: false });
});
