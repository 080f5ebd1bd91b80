import { describe, expect, it } from "vitest";
import { readAnswer } from "./read-answer.ts";

const all = { result: undefined, errors: new Map<number, string>() };

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

  it("is what the tool picks out of it, as far as it is there", () => {
    const picking = { ...all, result: { state: "order.state", first: "order.items.0.name", eta: "order.eta.date" } };
    const body = JSON.stringify({ order: { state: "shipped", items: [{ name: "soup" }], eta: null, secret: 1 } });
    expect(readAnswer(picking, { status: 200, body }).result).toEqual({
      success: true,
      state: "shipped",
      first: "soup",
    });
  });

  it("is a failure where something has to be picked out of what is not JSON", () => {
    const picking = { ...all, result: { state: "order.state" } };
    expect(readAnswer(picking, { status: 200, body: "<html>Sign in</html>" }).result).toMatchObject({
      success: false,
      error: "unreadable_answer",
    });
    expect(readAnswer(picking, { status: 204, body: "" }).result).toEqual({ success: true });
  });

  it("is never what an object inherits", () => {
    const picking = { ...all, result: { made: "constructor.name" } };
    expect(readAnswer(picking, { status: 200, body: "{}" }).result).toEqual({ success: true });
  });

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
