import { expect, it } from "vitest";
import { Templates } from "@voice/shared/catalog/template";
import { templateFilters } from "./template-filters.ts";

it("says money, digits, numbers and dates in words", () => {
  expect(
    new Templates(templateFilters).render(
      "{{ 12.5 | money }}, {{ '0412' | digits }}, {{ 21 | number }}, {{ d | spoken_date }}",
      { d: "2026-03-21" },
    ),
  ).toBe("twelve dollars and fifty cents, zero four one two, twenty one, March twenty first");
});
