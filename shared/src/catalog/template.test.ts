import { describe, expect, it } from "vitest";
import { renderTemplate, renderValue, templateProblem } from "./template.ts";

describe("templates", () => {
  it("render what is there and nothing for what is not", () => {
    expect(renderTemplate("Hello {{ a.b }}{{ a.c }}{{ d }}!", { a: { b: "you" } })).toBe("Hello you!");
  });

  it("keep the type of a lone value", () => {
    expect(renderValue("{{ n }}", { n: 25.5 })).toBe(25.5);
    expect(renderValue("{{ n }}", {})).toBeUndefined();
    expect(renderValue("n is {{ n }}", { n: 2 })).toBe("n is 2");
  });

  it("say money, digits, numbers and dates in words", () => {
    expect(
      renderTemplate("{{ 12.5 | money }}, {{ '0412' | digits }}, {{ 21 | number }}, {{ d | spoken_date }}", {
        d: "2026-03-21",
      }),
    ).toBe("twelve dollars and fifty cents, zero four one two, twenty one, March twenty first");
  });

  it("reach neither prototypes nor other files", () => {
    expect(renderTemplate("{{ a.constructor.name }}{{ a.__proto__ }}{{ s.toString }}", { a: {}, s: "x" })).toBe("");
    for (const tag of ["{% include 'x' %}", "{% render 'x' %}", "{% layout 'x' %}"])
      expect(templateProblem(tag, new Set())).toContain("not found");
  });

  it("stop when they would fill the memory or work for ever", () => {
    const nested = `${"{% for i in (1..90000) %}".repeat(3)}x${"{% endfor %}".repeat(3)}`;
    expect(() => renderTemplate(nested, {})).toThrow(/limit/);
    expect(() => renderTemplate("{% for i in (1..1000000) %}{{ i }}{% endfor %}", {})).toThrow(/limit/);
  });

  it.each([
    ["{{ a }} {{ b.c }}", undefined],
    ["{% assign x = a %}{{ x }}", undefined],
    ["{{ z }}", "unknown variable z (known here: a, b)"],
    ["{{ a | shout }}", "undefined filter: shout, line:1, col:1"],
    ["{% if a %}", "tag {% if a %} not closed, line:1, col:1"],
  ])("%s has the problem %s", (template, problem) => {
    expect(templateProblem(template, new Set(["a", "b"]))).toBe(problem);
  });
});
