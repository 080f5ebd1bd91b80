import { describe, expect, it } from "vitest";
import { ResponseSequence } from "./response-sequence.ts";

function rig() {
  const sent: string[] = [];
  const sequence = new ResponseSequence({
    create: ({ name }) => sent.push(`create ${String(name)}`),
    cancel: (responseId) => sent.push(`cancel ${responseId}`),
    plain: () => ({ name: "answer" }),
  });
  return { sent, sequence };
}

describe("responses in sequence", () => {
  it("sends a request at once when nothing is under way", () => {
    const { sent, sequence } = rig();
    sequence.request({ name: "a" });
    expect(sent).toEqual(["create a"]);
  });

  it("sends the next request when the one before has finished", () => {
    const { sent, sequence } = rig();
    sequence.request({ name: "a" });
    sequence.request({ name: "b" });
    expect(sequence.begin("1")).toBe("requested");
    expect(sent).toEqual(["create a"]);
    sequence.finish("1");
    expect(sent).toEqual(["create a", "create b"]);
  });

  it("cancels what is under way, and asks anew only after its end", () => {
    const { sent, sequence } = rig();
    sequence.begin("1");
    expect(sequence.cancel()).toBe("1");
    sequence.request({ name: "apology" });
    expect(sent).toEqual(["cancel 1"]);
    sequence.finish("1");
    expect(sent).toEqual(["cancel 1", "create apology"]);
  });

  it("cancels a response that was called off before it began, at its beginning", () => {
    const { sent, sequence } = rig();
    sequence.request({ name: "a" });
    expect(sequence.cancel()).toBeUndefined();
    sequence.request({ name: "b" });
    expect(sequence.begin("1")).toBe("unwanted");
    sequence.finish("1");
    expect(sequence.begin("2")).toBe("requested");
    expect(sent).toEqual(["create a", "cancel 1", "create b"]);
  });

  it("forgets what waits when everything is called off", () => {
    const { sent, sequence } = rig();
    sequence.begin("1");
    sequence.request({ name: "a" });
    sequence.cancel();
    sequence.finish("1");
    expect(sent).toEqual(["cancel 1"]);
  });

  it("asks for the service's own answer again where that was cancelled in place of a request that was called off", () => {
    const { sent, sequence } = rig();
    sequence.request({ name: "a" });
    sequence.cancel();
    expect(sequence.begin("theirs")).toBe("unwanted");
    sequence.refusedAsBusy();
    sequence.finish("theirs");
    expect(sequence.begin("2")).toBe("requested");
    sequence.finish("2");
    expect(sent).toEqual(["create a", "cancel theirs", "create answer"]);
  });

  it("asks for an answer to what was committed only while nothing else is under way, and never again", () => {
    const { sent, sequence } = rig();
    sequence.requestIfFree({ name: "a" });
    sequence.begin("1");
    sequence.refusedAsBusy();
    sequence.requestIfFree({ name: "b" });
    sequence.finish("1");
    sequence.requestIfFree({ name: "c" });
    sequence.refusedAsBusy();
    sequence.begin("2");
    sequence.finish("2");
    expect(sent).toEqual(["create a", "create c"]);
  });

  it("asks again after a response that the service began by itself", () => {
    const { sent, sequence } = rig();
    sequence.request({ name: "a" });
    sequence.refusedAsBusy();
    sequence.finish("theirs");
    expect(sent).toEqual(["create a", "create a"]);
  });

  it("asks again after a response that the service began by itself, and announced before it refused ours", () => {
    const { sent, sequence } = rig();
    sequence.request({ name: "a" });
    expect(sequence.begin("theirs")).toBe("requested");
    sequence.refusedAsBusy();
    sequence.finish("theirs");
    expect(sequence.begin("ours")).toBe("requested");
    sequence.finish("ours");
    expect(sent).toEqual(["create a", "create a"]);
  });

  it("does not ask again for a response that was called off while the service was busy with its own", () => {
    const { sent, sequence } = rig();
    sequence.request({ name: "a" });
    sequence.begin("theirs");
    sequence.cancel();
    sequence.refusedAsBusy();
    sequence.finish("theirs");
    expect(sent).toEqual(["create a", "cancel theirs"]);
  });

  it("goes on after a request that the service refused", () => {
    const { sent, sequence } = rig();
    sequence.request({ name: "a" });
    sequence.request({ name: "b" });
    expect(sequence.refused()).toBe(true);
    expect(sent).toEqual(["create a", "create b"]);
    sequence.cancel();
    expect(sequence.refused()).toBe(false);
    sequence.request({ name: "c" });
    expect(sent.at(-1)).toBe("create c");
  });

  it("ignores the end of a response that is no longer the one under way", () => {
    const { sent, sequence } = rig();
    sequence.begin("2");
    sequence.request({ name: "a" });
    sequence.finish("1");
    expect(sent).toEqual([]);
  });
});
