import { describe, expect, it } from "vitest";
import { conversationsIn, documentId, documentsOf, partId } from "./conversation-documents.ts";

const sessionId = "session-1";
const [monday, tuesday] = ["2026-03-16T10:00:00.000Z", "2026-03-17T10:00:00.000Z"];
const [first, second] = [
  { sessionId, createdAt: monday },
  { sessionId, createdAt: tuesday },
];
const head = (id: string, created_at?: string, owner?: string) => ({ id, created_at, owner, recordings: [] });

describe("the documents of conversations that had the same session id", () => {
  const heads = [
    head(documentId(first), monday, "alice"),
    head(partId(documentId(first), 2), monday, "alice"),
    head(documentId(second), tuesday, "bob"),
  ];

  it("are told apart by the conversation's beginning, the newest first", () => {
    expect(conversationsIn(sessionId, heads)).toMatchObject([
      { createdAt: tuesday, owner: "bob" },
      { createdAt: monday, owner: "alice" },
    ]);
    expect(documentsOf(first, heads)).toEqual([partId(documentId(first), 2), documentId(first)]);
    expect(documentsOf(second, heads)).toEqual([documentId(second)]);
  });

  it("are found as long as one of them is left, so that a deletion which failed can be repeated", () => {
    const left = [head(partId(documentId(first), 2), monday, "alice")];
    expect(conversationsIn(sessionId, left)).toMatchObject([{ createdAt: monday, owner: "alice" }]);
    expect(documentsOf(first, left)).toEqual([partId(documentId(first), 2)]);
  });

  it("include those of an older conversation, whose parts do not say when it began", () => {
    const older = [head(sessionId, monday, "alice"), head(partId(sessionId, 2)), head(documentId(second), tuesday)];
    expect(conversationsIn(sessionId, older)).toMatchObject([{ createdAt: tuesday }, { createdAt: monday }]);
    expect(documentsOf(first, older)).toEqual([partId(sessionId, 2), sessionId]);
    expect(documentsOf(second, older)).toEqual([documentId(second)]);
  });
});
