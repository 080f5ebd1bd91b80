import { describe, expect, it } from "vitest";
import { Anonymiser } from "./anonymise.ts";

describe("what a recording keeps of a message", () => {
  const clean = (value: unknown) => new Anonymiser(["key-of-ours-123"]).clean(value);

  it("is its form and the words of the protocol", () => {
    const event = {
      type: "response.done",
      response: { status: "completed", usage: { total_tokens: 12 }, ok: true, gone: null },
    };
    expect(clean(event)).toEqual(event);
  });

  it("is nothing that anybody said, however short", () => {
    const event = {
      transcript: "yes",
      delta: "no",
      item: { content: [{ type: "text", text: "4111" }] },
      arguments: "{}",
    };
    expect(JSON.stringify(clean(event))).not.toMatch(/yes|"no"|4111/);
    expect(clean({ note: "Call Ada at home" })).toEqual({ note: "(16 characters)" });
  });

  it("is no key, wherever it stands", () => {
    expect(JSON.stringify(clean({ url: "wss://x?api-key=key-of-ours-123", voice: "key-of-ours-123" }))).not.toContain(
      "123",
    );
  });

  it("is the length of audio", () => {
    expect(clean({ audio: "AAAA".repeat(50) })).toEqual({ audio: "(200 characters of base64)" });
  });

  it("is that two messages are about the same thing", () => {
    expect(clean([{ item_id: "item_A9" }, { item: { id: "item_A9" } }, { response_id: "resp_7" }])).toEqual([
      { item_id: "id-1" },
      { item: { id: "id-1" } },
      { response_id: "id-2" },
    ]);
  });
});
