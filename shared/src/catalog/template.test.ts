import { describe, expect, it } from "vitest";
import { Templates } from "./template.ts";

const templates = new Templates({ shout: (value) => `${String(value).toUpperCase()}!` });

describe("templates", () => {
  it("render what is there and nothing for what is not", () => {
    expect(templates.render("Hello {{ a.b }}{{ a.c }}{{ d }}!", { a: { b: "you" } })).toBe("Hello you!");
  });

  it.each(["size", "first", "last", "length", "keys"])(
    "[EAR-56] read a value called %s like any other: nothing where it is not set",
    (name) => {
      const template = `[{{ slots.${name} }}{{ slots["${name}"] }}]{% if slots.${name} %} set{% endif %}`;
      expect(templates.render(template, { slots: { roast: "dark", drink: "latte" } })).toBe("[]");
      expect(templates.render(template, { slots: { [name]: "small" } })).toBe("[smallsmall] set");
      expect(templates.evaluate(`{{ slots.${name} }}`, { slots: { roast: "dark" } })).toBeUndefined();
    },
  );

  it("[EAR-56] count the entries of lists and the letters of texts", () => {
    const scope = { list: ["a", "b"], text: "four" };
    expect(templates.render("{{ list.size }} {{ list.first }} {{ list.last }} {{ text.size }}", scope)).toBe("2 a b 4");
  });

  it("keep the type of a lone value", () => {
    expect(templates.evaluate("{{ n }}", { n: 25.5 })).toBe(25.5);
    expect(templates.evaluate("{{ n }}", {})).toBeUndefined();
    expect(templates.evaluate("n is {{ n }}", { n: 2 })).toBe("n is 2");
  });

  it("have the filters that they were given", () => {
    expect(templates.render("{{ a | shout }}", { a: "hey" })).toBe("HEY!");
    expect(new Templates().problem("{{ a | shout }}", new Set(["a"]))).toContain("undefined filter: shout");
  });

  it("reach neither prototypes nor other files", () => {
    expect(templates.render("{{ a.constructor.name }}{{ a.__proto__ }}{{ s.toString }}", { a: {}, s: "x" })).toBe("");
    for (const tag of ["{% include 'x' %}", "{% render 'x' %}", "{% layout 'x' %}"])
      expect(templates.problem(tag, new Set())).toContain("not found");
  });

  it("stop when they would fill the memory or work for ever", () => {
    const nested = `${"{% for i in (1..90000) %}".repeat(3)}x${"{% endfor %}".repeat(3)}`;
    expect(() => templates.render(nested, {})).toThrow(/limit/);
    expect(() => templates.render("{% for i in (1..1000000) %}{{ i }}{% endfor %}", {})).toThrow(/limit/);
  });

  it("stop when their filters would read a long text or a list again and again", () => {
    const spelling = new Templates({ spelled: (value) => String(value).split("").join(" ") });
    const repeated = (work: string): string => `{% for i in (1..300) %}{% assign x = ${work} %}{% endfor %}`;
    const items = Array.from({ length: 1000 }, (_, at) => ({ name: `item ${at}` }));
    const nested = [Array.from({ length: 1000 }, () => "a text of some length, which many have")];
    for (const work of ["text | spelled", "items | has: 'color'", "text | where: items", "'a' | abs: nested"])
      expect(() => spelling.render(repeated(work), { text: "1".repeat(15_000), items, nested })).toThrow(
        "limit exceeded",
      );
    expect(spelling.render("{{ items | where: 'name', 'item 7' | map: 'name' | join: ', ' }}", { items })).toBe(
      "item 7",
    );
  });

  it("stop when they would write more than a prompt can be", () => {
    const loud = `{% for i in (1..4000) %}${"x".repeat(900)}{% endfor %}`;
    expect(() => templates.render(loud, {})).toThrow("output limit");
    expect(() => templates.evaluate(loud, {})).toThrow("output limit");
    expect(() => templates.render("{{ a }}{{ a }}", { a: "x".repeat(30) }, 50)).toThrow("output limit");
  });

  it("count the steps of a rendering, so that no loop is a long one", () => {
    const nested = `${"{% for i in (1..80) %}".repeat(3)}{% if i == 0 %}x{% endif %}${"{% endfor %}".repeat(3)}`;
    expect(() => templates.render(nested, {})).toThrow(/(?:steps|render) limit/); // whichever a busy machine comes to first
    const empty = `${"{% for i in list %}".repeat(3)}${"{% endfor %}".repeat(3)}`;
    expect(() => templates.render(empty, { list: Array.from({ length: 200 }, (_, at) => at) })).toThrow(
      /(?:steps|render) limit/,
    );
  });

  it("are refused when there is more in their braces than is read in a moment, as values, as operators or as filters", () => {
    const known = new Set(["a"]);
    for (const template of [
      "{{ a }}".repeat(4000),
      `{{ a ${"| upcase ".repeat(1000)}}}`,
      `{% if ${"a or ".repeat(2000)}a %}{% endif %}`,
    ])
      expect(templates.problem(template, known)).toMatch(/^template braces limit exceeded: \d+ characters of 8000$/);
    expect(templates.problem("{{a".repeat(3000), known)).toContain("braces limit");
    expect(() => templates.render("{{ a }}".repeat(4000), { a: 1 })).toThrow("braces limit");
    expect(templates.problem(`${"x".repeat(40_000)}${"{{ a }}\n".repeat(1000)}`, known)).toBeUndefined();
  });

  it("say where a mistake stands", () => {
    expect(templates.problem("one\ntwo {{ a | whisper }}", new Set(["a"]))).toBe(
      "undefined filter: whisper, in line 2 of the text",
    );
  });

  it("know neither the tag that gathers text unseen nor the filter that is quadratic", () => {
    expect(templates.problem("{% capture a %}x{% endcapture %}", new Set())).toContain("not found");
    expect(templates.problem("{{ a | strip_html }}", new Set(["a"]))).toContain("undefined filter");
  });

  it.each([
    ["{{ a }} {{ b.c }}", undefined],
    ["{% assign x = a %}{{ x }}", undefined],
    ["{{ z }}", "unknown variable z (known here: a, b)"],
    ["{{ a | whisper }}", "undefined filter: whisper"],
    ["{% if a %}", "tag {% if a %} not closed"],
  ])("%s has the problem %s", (template, problem) => {
    expect(templates.problem(template, new Set(["a", "b"]))).toBe(problem);
  });

  it.each([
    ["{{ slots.date }}{{ slots[a] }}{{ b.any }}", undefined],
    ["{{ slots.dat }}", "unknown value slots.dat (known here: card, date)"],
    ["{% if slots.card and slots['crad'] %}x{% endif %}", "unknown value slots.crad (known here: card, date)"],
  ])("%s has the problem %s where the fields are known", (template, problem) => {
    const known = { slots: new Set(["date", "card"]) };
    expect(templates.problem(template, new Set(["a", "b", "slots"]), known)).toBe(problem);
  });
});
