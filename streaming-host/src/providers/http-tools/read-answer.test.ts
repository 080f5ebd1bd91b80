import { describe, expect, it } from "vitest";
import { readAnswer } from "./read-answer.ts";

const all = { result: undefined, errors: new Map<number, string>(), hasSideEffects: false, isIdempotent: false };
const changing = { ...all, hasSideEffects: true };
const field = (path: string, isRequired = true) => ({ path, isRequired });

describe("what the model is told of an answer", () => {
  it("is the whole of it, when the tool does not say what matters", () => {
    expect(readAnswer(all, { status: 200, body: '{"state":"shipped"}' }).result).toEqual({
      success: true,
      state: "shipped",
    });
    expect(readAnswer(all, { status: 200, body: "[1,2]" }).result).toEqual({ success: true, answer: [1, 2] });
    expect(readAnswer(all, { status: 200, body: "shipped" }).result).toEqual({ success: true, answer: "shipped" });
    expect(readAnswer(all, { status: 204, body: "" }).result).toEqual({ success: true, answer: "" });
  });

  it("is what the tool picks out of it, without fields that may be missing and are", () => {
    const picking = {
      ...all,
      result: { state: field("order.state"), first: field("order.items.0.name"), eta: field("order.eta.date", false) },
    };
    const body = JSON.stringify({ order: { state: "shipped", items: [{ name: "soup" }], eta: null, secret: 1 } });
    expect(readAnswer(picking, { status: 200, body }).result).toEqual({
      success: true,
      state: "shipped",
      first: "soup",
    });
  });

  it.each([
    ["is missing", { doctor: "Ada" }],
    ["is null", { doctor: "Ada", at: null }],
    ["is empty", { doctor: "Ada", at: " " }],
    ["is inherited", { doctor: "Ada", __proto__: { at: "nine" } }],
  ])("[TOOL-6] is a failure for a look-up, and unknown for a change, where a field that it picks %s", (_what, body) => {
    const result = { doctor: field("doctor"), at: field("at") };
    const answer = { status: 200, body: JSON.stringify(body) };
    const read = readAnswer({ ...all, result }, answer).result;
    expect(read).toMatchObject({ success: false, error: "incomplete_answer" });
    expect(read).not.toHaveProperty("doctor");
    const change = readAnswer({ ...changing, result }, answer).result;
    expect(change).toMatchObject({ success: false, error: "outcome_unknown", doctor: "Ada" });
    expect(change["note"]).toMatch(/answer lacks at\. It may have been done/);
  });

  it.each([
    ["Created", undefined],
    ["", undefined],
    ["", "is too long"],
    ["", "did not arrive as a whole"],
  ])("[TOOL-5] is that a change was done, whatever became of the answer's body: %j, %s", (body, unread) => {
    const picking = { result: { state: field("order.state") } };
    const answer = { status: 201, body, unread };
    expect(readAnswer({ ...all, ...picking }, answer).result).toMatchObject({
      success: false,
      error: "unreadable_answer",
    });
    expect(readAnswer({ ...changing, ...picking }, answer).result).toMatchObject({
      success: true,
      message: "That is done. Is there anything else I can do for you?",
      note: expect.stringMatching(/It was done, but its answer/),
    });
  });

  it.each(["<html>Sign in</html>", ' \n<!DOCTYPE html>\n<html lang="en"><p>Down for maintenance'])(
    "[TOOL-21] is that nobody knows whether a change was done where a web page answers in its service's place: %j",
    (body) => {
      const answer = { status: 200, body };
      for (const result of [undefined, { state: field("order.state") }]) {
        const change = readAnswer({ ...changing, result }, answer).result;
        expect(change).toMatchObject({ success: false, error: "outcome_unknown" });
        expect(change["note"]).toMatch(/answer is a web page\. It may have been done/);
      }
      expect(readAnswer(all, answer).result).toEqual({ success: true, answer: body });
    },
  );

  it.each([
    [500, true],
    [502, true],
    [503, true],
    [504, true],
    [302, true],
    [303, true],
    [501, false],
    [400, false],
    [404, false],
    [409, false],
    [429, false],
    [307, false],
  ])(
    "[TOOL-4b] [TOOL-4c] is, with the status %i of a change, that nobody knows whether it was done: %s",
    (status, isUnknown) => {
      const { result } = readAnswer(changing, { status, body: "" });
      expect(result["error"]).toBe(isUnknown ? "outcome_unknown" : `http_${status}`);
      expect(readAnswer(all, { status, body: "" }).result["error"]).toBe(`http_${status}`);
    },
  );

  it("is the tool's own sentence where it has one for an error, and none of the service's words", () => {
    const telling = { ...all, errors: new Map([[404, "There is no such order."]]) };
    expect(readAnswer(telling, { status: 404, body: "stack trace" }).result).toEqual({
      success: false,
      error: "http_404",
      message: "There is no such order.",
    });
    expect(readAnswer(telling, { status: 302, body: "" }).result).toMatchObject({ success: false, error: "http_302" });
    // It may be spoken as it is, so it says nothing that is meant for a model.
    const told = [403, 500, 503].map((status) => readAnswer(telling, { status, body: "" }).result["message"]);
    const isBroken = "That did not work: the service is not working right now.";
    expect(told).toEqual(["That did not work: the service refused the request.", isBroken, isBroken]);
  });
});
