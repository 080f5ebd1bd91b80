import { describe, expect, it } from "vitest";

import { markOf } from "./tab-mark.ts";

const quiet = { page: "Live", isRinging: false, needyCount: 0 };

describe("what a tab shows of itself", () => {
  it("[OPS-35] says by its title and its icon that it rings", () => {
    expect(markOf(quiet)).toEqual({ title: "Live – Voice agents", icon: "/favicon.svg" });
    expect(markOf({ ...quiet, isRinging: true })).toEqual({
      title: "Your phone rings – Voice agents",
      icon: "/favicon-alert.svg",
    });
  });

  it("[WALL-5] counts the conversations that need somebody", () => {
    expect(markOf({ ...quiet, needyCount: 2 })).toEqual({
      title: "(2) Live – Voice agents",
      icon: "/favicon-alert.svg",
    });
  });
});
