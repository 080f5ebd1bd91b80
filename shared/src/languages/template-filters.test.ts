import { expect, it } from "vitest";
import { Templates } from "../catalog/template.ts";
import { templateFilters } from "./template-filters.ts";

it("says money, digits, numbers and dates in words", () => {
  expect(
    new Templates(templateFilters).render(
      "{{ 12.5 | money }}, {{ '0412' | digits }}, {{ 21 | number }}, {{ d | spoken_date }}",
      { d: "2026-03-21" },
    ),
  ).toBe("twelve dollars and fifty cents, zero four one two, twenty one, March twenty first");
});

it.each([
  ["de-AT", "zwölf Euro und fünfzig Cent, null vier, 21. März, drei Dollar"],
  ["fr", "douze euros et cinquante centimes, zéro quatre, 21 mars, trois dollars"],
  ["es-MX", "doce euros con cincuenta céntimos, cero cuatro, 21 de marzo, tres dólares"],
])("[LANG-8] says them in %s where the agent speaks it, and money in the currency that is named", (language, said) => {
  const template = "{{ 12.5 | money }}, {{ '04' | digits }}, {{ '2026-03-21' | spoken_date }}, {{ 3 | money: 'USD' }}";
  expect(new Templates(templateFilters).render(template, { language })).toBe(said);
});

it.each(["en-US", "de-DE", "fr-FR", "es-ES"])(
  "[LANG-8] leaves empty what is missing, and as it is what is no number, in %s",
  (language) => {
    const render = (value: unknown) =>
      new Templates(templateFilters).render(
        "{{ v | number }}/{{ v | money }}/{{ v | money: 'XXQ' }}/{{ v | digits }}/{{ v | spoken_date }}",
        { v: value, language },
      );
    for (const missing of [undefined, null, "", [], {}, Number.NaN, Number.POSITIVE_INFINITY])
      expect(render(missing)).toBe("////");
    expect(render("about twenty")).toBe("about twenty/about twenty/about twenty//about twenty");
    expect(render(1e15)).toMatch(/^1000000000000000\/1000000000000000\//);
  },
);
