import { describe, expect, it } from "vitest";
import { inStrictOrder, withCallerLast } from "./strict-order.ts";
import type { WireMessage } from "./wire-request.ts";

const system = (content: string): WireMessage => ({ role: "system", content });
const user = (content: string): WireMessage => ({ role: "user", content });
const assistant = (content: string): WireMessage => ({ role: "assistant", content });
const call = (content: string): WireMessage => ({
  role: "assistant",
  content,
  tool_calls: [{ id: "c", type: "function", function: { name: "find_order", arguments: "{}" } }],
});
const result: WireMessage = { role: "tool", tool_call_id: "c", content: "{}" };

const outline = (messages: readonly WireMessage[]): string[] =>
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
    expect(asked).toMatchObject({ tool_calls: [{ function: { name: "find_order" } }] });
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
          (message) => message.role === "user" || (message.role === "assistant" && message.tool_calls === undefined),
        );
      for (const [place, { role }] of spoken.entries()) expect(role).toBe(place % 2 === 0 ? "user" : "assistant");
    }
  });
});

describe("a conversation that the caller has to end", () => {
  const ending = (messages: readonly WireMessage[]) =>
    withCallerLast(messages).map(({ role, content }) => `${role}: ${content}`);

  it("is given the caller's part after the agent's greeting, and remarks at the end are the caller's", () => {
    expect(ending([user("Cards, please."), assistant("Cards here.")])).toEqual([
      "user: Cards, please.",
      "assistant: Cards here.",
      "user: (The caller has heard this, and waits for what follows.)",
    ]);
    expect(ending([user("Yes."), system("It is late.")])).toEqual(["user: Yes.\n(It is late.)"]);
    expect(ending([assistant("Hello"), system("The caller interrupted.")]).at(-1)).toBe(
      "user: (The caller interrupted.)\n(The caller has heard this, and waits for what follows.)",
    );
  });

  it("stays as it is where the caller or a tool has the last word", () => {
    for (const messages of [[user("Yes.")], [user("Where?"), call(""), result]])
      expect(withCallerLast(messages)).toBe(messages);
  });
});
