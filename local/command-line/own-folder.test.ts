import { expect, it } from "vitest";
import { ownFolder } from "./own-folder.ts";

it("is none where the setting is empty, since the folder in which a command is typed is no catalog", () => {
  const named = (CATALOG_DIR?: string) => ownFolder("CATALOG_DIR", { CATALOG_DIR });
  expect([named(), named(""), named(" "), named("my-catalog ")]).toEqual([
    undefined,
    undefined,
    undefined,
    "my-catalog",
  ]);
});
