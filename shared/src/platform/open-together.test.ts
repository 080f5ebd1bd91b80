import { describe, expect, it } from "vitest";
import { openTogether } from "./open-together.ts";

describe("parts that are opened together", () => {
  it("are closed in the opposite order, once", async () => {
    const closed: string[] = [];
    const together = await openTogether((opened) => {
      opened(async () => void closed.push("first"));
      opened(async () => void closed.push("second"));
      return Promise.resolve("parts");
    });
    expect(together.parts).toBe("parts");
    await together.close();
    await together.close();
    expect(closed).toEqual(["second", "first"]);
  });

  it("are closed again when a later one cannot be opened, and the reason is reported", async () => {
    const closed: string[] = [];
    const opening = openTogether((opened) => {
      opened(async () => void closed.push("first"));
      opened(() => Promise.reject(new Error("second does not close")));
      return Promise.reject(new Error("third does not open"));
    });
    await expect(opening).rejects.toThrow("third does not open");
    expect(closed).toEqual(["first"]);
  });

  it("are all closed although one of them fails to, and that is reported", async () => {
    const closed: string[] = [];
    const { close } = await openTogether((opened) => {
      opened(async () => void closed.push("first"));
      opened(() => Promise.reject(new Error("second does not close")));
      return Promise.resolve("parts");
    });
    await expect(close()).rejects.toThrow("not everything could be closed");
    expect(closed).toEqual(["first"]);
  });
});
