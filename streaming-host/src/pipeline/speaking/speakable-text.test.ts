import { describe, expect, it } from "vitest";
import { toSpeakableText } from "./speakable-text.ts";

describe("[EAR-10] speakable text", () => {
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
    ["| Day | Hours |", "Day, Hours"],
    ["|---|:---:|", ""],
    ["Monday | 9 to 5 | open", "Monday, 9 to 5, open"],
    ["| Monday | | open |", "Monday, open"],
    ["- [ ] Bring your passport", "Bring your passport"],
    ["* [x] Paid", "Paid"],
    ["***", ""],
    ["- - -", ""],
    ["## Hours ##", "Hours"],
    ["> We are open.", "We are open."],
    ["Flags: 🇫🇷 and 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} here", "Flags: and here"],
    ["Family 👨‍👩‍👧 and keys 1️⃣.", "Family and keys 1."],
    ["We close at five.[^1]", "We close at five."],
    ["[^1]: On weekdays only.", "On weekdays only."],
    ["[1]: https://example.com/hours", ""],
    ["See [our page][1] for more.", "See our page for more."],
    ["![A map](map.png) shows it.", "A map shows it."],
    ["We close at five【4†source】.", "We close at five."],
    ["Fish &amp; chips &lt; 5&nbsp;&euro; &#8212; &#x41;", "Fish & chips < 5 € — A"],
    ["AT&T; and R&D", "AT&T; and R&D"],
    ["Visit https://example.com/a/b/c?d=e#f, please.", "Visit example.com, please."],
    ["Visit https://example.com/opening-hours.", "Visit example.com/opening-hours."],
    ["Press \\* or \\#.", "Press * or #."],
    ["Press * or #, © 2026.", "Press * or #, © 2026."],
    ["~~Ten~~ **nine** euros", "Ten nine euros"],
    ["a < b and c > d", "a < b and c > d"],
    ["Bur\u00adger pal\u200bace", "Burger palace"],
  ])("turns %j into %j", (written, spoken) => {
    expect(toSpeakableText(written)).toBe(spoken);
  });
});
