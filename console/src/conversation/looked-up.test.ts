import { describe, expect, it } from "vitest";

import { lookedUpBy, whereFound } from "./looked-up.ts";

const call = { name: "search_knowledge", status: "success" as const, args: { question: "What is the fee?" } };
const passage = { text: "A transfer costs $5.", title: "Fees › Transfers", source: "fees.pdf, page 2" };

describe("[KNOW-7] an answer that was looked up", () => {
  it("says from which passages, the best first", () => {
    const result = { success: true, answer: "A transfer costs $5.", passages: [passage, { ...passage, title: "" }] };
    const lookedUp = lookedUpBy({ ...call, result });
    expect(lookedUp).toMatchObject({ question: "What is the fee?", passages: [passage, { text: passage.text }] });
    expect(lookedUp?.passages.map(whereFound)).toEqual(["Fees › Transfers (fees.pdf, page 2)", "fees.pdf, page 2"]);
  });

  it("says that nothing was found", () => {
    const result = { success: false, error: "nothing_found", message: "I do not know." };
    expect(lookedUpBy({ ...call, status: "error", result })).toEqual({ question: "What is the fee?", passages: [] });
  });

  it.each([
    ["another tool", { ...call, name: "get_balance", result: { passages: [passage] } }],
    ["one that is still searching", { ...call, status: "started" as const, result: undefined }],
    ["a search that failed", { ...call, status: "error" as const, result: { error: "timeout" } }],
    ["a result of another form", { ...call, result: { passages: "none" } }],
  ])("is not made of %s", (_what, entry) => {
    expect(lookedUpBy(entry)).toBeUndefined();
  });
});
