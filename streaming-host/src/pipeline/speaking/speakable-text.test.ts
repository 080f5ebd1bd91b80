import { describe, expect, it } from "vitest";
import { toSpeakableText } from "./speakable-text.ts";

describe("speakable text", () => {
  it.each([
    ["**Important:** call _now_.", "Important: call now."],
    ["- first point", "first point"],
    ["## Balance", "Balance"],
    ["See [our page](https://example.com/a?b=c) for more.", "See our page for more."],
    ["Use `code` here.", "Use code here."],
    ["Visit https://www.example.com today.", "Visit example.com today."],
    ["Great 👍🏽 news!", "Great news!"],
    ["2 * 3 * 4 is 24", "2 * 3 * 4 is 24"],
    ["snake_case_name stays", "snake_case_name stays"],
    ["a<br/>b", "ab"],
    ["Bur\u00adger pal\u200bace", "Burger palace"],
  ])("turns %j into %j", (written, spoken) => {
    expect(toSpeakableText(written)).toBe(spoken);
  });
});
