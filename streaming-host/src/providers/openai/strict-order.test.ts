import type { ModelMessage } from "@voice/provider-kit/ports/language-model";
import { describe, expect, it } from "vitest";
import { inStrictOrder } from "./strict-order.ts";

const system = (content: string): ModelMessage => ({ role: "system", content });
const user = (content: string): ModelMessage => ({ role: "user", content });
const assistant = (content: string): ModelMessage => ({ role: "assistant", content });
const call = (content: string): ModelMessage => ({
  role: "assistant",
  content,
  toolCalls: [{ id: "c", name: "find_order", argumentsJson: "{}" }],
});
const result: ModelMessage = { role: "tool", toolCallId: "c", name: "find_order", content: "{}" };

const outline = (messages: readonly ModelMessage[]): string[] =>
  inStrictOrder(messages).map(({ role, content }) => `${role}: ${content}`);

describe("a strict order", () => {
  it("has somebody speak before the agent's greeting", () => {
    expect(outline([system("Be brief."), assistant("Hello!"), user("Hi.")])).toEqual([
      "system: Be brief.",
      "user: (The call begins.)",
      "assistant: Hello!",
      "user: Hi.",
    ]);
  });

  it("joins what one side says in a row, and puts remarks into the caller's words", () => {
    const messages = [
      system("A."),
      system("B."),
      user("One."),
      assistant("Two."),
      system("Interrupted."),
      user("Three."),
    ];
    expect(outline([...messages, user("Four.")])).toEqual([
      "system: A.\n\nB.",
      "user: One.",
      "assistant: Two.",
      "user: (Interrupted.)\nThree.\nFour.",
    ]);
  });

  it("keeps calls and results together, and gives the call what was said before it", () => {
    expect(outline([user("Where is it?"), assistant("Let me look."), call(""), result, assistant("Here.")])).toEqual([
      "user: Where is it?",
      "assistant: Let me look.",
      "tool: {}",
      "assistant: Here.",
    ]);
    const [, asked] = inStrictOrder([user("Where is it?"), assistant("Let me look."), call(""), result]);
    expect(asked).toMatchObject({ toolCalls: [{ name: "find_order" }] });
  });

  it("lets the agent speak where the caller went on before it answered a result", () => {
    expect(outline([user("Where is it?"), call("One moment."), result, user("Hello?")])).toEqual([
      "user: Where is it?",
      "assistant: One moment.",
      "tool: {}",
      "assistant: (The caller heard nothing of this.)",
      "user: Hello?",
    ]);
  });

  it("alternates whatever a conversation was like", () => {
    const kinds = [system("r"), user("u"), assistant("a"), [call(""), result]].map((kind) => [kind].flat());
    for (let seed = 0; seed < 4 ** 5; seed += 1) {
      const picked = [0, 1, 2, 3, 4].flatMap((place) => kinds[Math.floor(seed / 4 ** place) % 4] ?? []);
      const spoken = inStrictOrder([system("s"), ...picked])
        .slice(1)
        .filter(
          (message) => message.role === "user" || (message.role === "assistant" && message.toolCalls === undefined),
        );
      for (const [place, { role }] of spoken.entries()) expect(role).toBe(place % 2 === 0 ? "user" : "assistant");
    }
  });
});
