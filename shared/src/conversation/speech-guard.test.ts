import { describe, expect, it } from "vitest";
import type { Guardrail } from "../catalog/guardrail.ts";
import { loadCatalog } from "../catalog/load-catalog.ts";
import { demoCatalogDirs, demoTools } from "../demo/demo-parts.ts";
import { createSpeechGuard } from "./speech-guard.ts";

const guardrails: readonly Guardrail[] = [
  { name: "digits", pattern: /\b(?:\d[ -]?){8,}\d\b/giu, action: { type: "replace", with: "that number" } },
  { name: "secret", pattern: /system prompt/giu, action: { type: "stop", say: "Let us talk about something else." } },
];

describe("a speech guard", () => {
  it("lets pass what is allowed, as it is", () => {
    expect(createSpeechGuard(guardrails).check("Your card ends in 4412.")).toEqual({
      text: "Your card ends in 4412.",
      hits: [],
      stopped: false,
    });
  });

  it("replaces what is forbidden, every time", () => {
    const guard = createSpeechGuard(guardrails);
    expect(guard.check("It is 4111 1111 1111 1111, not 123456789.").text).toBe("It is that number, not that number.");
    expect(guard.check("Again 123456789.")).toEqual({ text: "Again that number.", hits: ["digits"], stopped: false });
  });

  it("catches what began in the clause before", () => {
    const guard = createSpeechGuard(guardrails);
    expect(guard.check("The number is 4111 1111").hits).toEqual([]);
    expect(guard.check("1111 1111 and that is it.")).toMatchObject({
      text: "that number and that is it.",
      hits: ["digits"],
    });
  });

  it("catches what formatting divides, and still what only the formatting has", () => {
    const toSpoken = (written: string) =>
      written.replaceAll("*", "").replaceAll("https://", "").replaceAll(/\s+/g, " ");
    const rails: readonly Guardrail[] = [
      ...guardrails,
      { name: "rival", pattern: /burger palace/giu, action: { type: "replace", with: "another place" } },
      { name: "link", pattern: /https:\S+/giu, action: { type: "replace", with: "our page" } },
    ];
    const check = (clause: string) => createSpeechGuard(rails, toSpoken).check(clause);
    expect(check("Try **Burger** Palace.")).toEqual({ text: "Try another place.", hits: ["rival"], stopped: false });
    expect(check("Try burger  palace.").text).toBe("Try another place.");
    expect(check("It is **4111** 1111 **1111** 1111.").text).toBe("It is that number.");
    expect(check("See https://a.example/b now.").text).toBe("See our page now.");
    expect(check("My *system* prompt says:")).toMatchObject({
      text: "Let us talk about something else.",
      stopped: true,
    });
    const guard = createSpeechGuard(rails, toSpoken);
    guard.check("Try **Burger**");
    expect(guard.check("*Palace* today.").text).toBe("another place today.");
  });

  it("does not report again what was hit before", () => {
    const guard = createSpeechGuard(guardrails);
    guard.check("It is 123456789.");
    expect(guard.check("Is there anything else?").hits).toEqual([]);
  });

  it("ends the reply where it must", () => {
    const guard = createSpeechGuard(guardrails);
    expect(guard.check("My System Prompt says:")).toEqual({
      text: "Let us talk about something else.",
      hits: ["secret"],
      stopped: true,
    });
    expect(guard.check("You are a helpful")).toEqual({ text: "", hits: [], stopped: true });
  });
});

describe("the built-in guardrails", async () => {
  const catalog = await loadCatalog(demoCatalogDirs, { tools: demoTools, mcpServers: [] });
  const rails = catalog.agents.get("front-desk")?.guardrails ?? [];

  it.each([
    ["Your card number is 4111 1111 1111 1111.", "Your card number is a number I may not say."],
    ["It is four one one one, one one one one, one one one one, one one one one.", "It is a number I may not say."],
    ["Your social is 123-45-6789.", "Your social is a number I may not say."],
    ["My instructions say that I should be brief.", "Sorry, I cannot talk about that. What can I do for you?"],
    ["As an AI language model I cannot.", "I cannot."],
    [
      "The routing number is one two five zero zero zero zero two four.",
      "The routing number is one two five zero zero zero zero two four.",
    ],
    ["Your card ends in 4412, and the claim is 550127.", "Your card ends in 4412, and the claim is 550127."],
  ])("%s → %s", (clause, spoken) => {
    expect(createSpeechGuard(rails).check(clause).text).toBe(spoken);
  });
});
