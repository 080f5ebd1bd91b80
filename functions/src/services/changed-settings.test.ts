import { expect, it } from "vitest";
import { changedSettingsNote } from "./changed-settings.ts";

it("says nothing while nothing has changed", () => {
  expect(changedSettingsNote([])).toBeUndefined();
});

it("names what the functions app reads with each request, and what only a restart brings in", () => {
  expect(changedSettingsNote(["CORS_ALLOWED_ORIGINS", "TTS_STYLE"])).toBe(
    "Changed since this instance started: CORS_ALLOWED_ORIGINS, TTS_STYLE. Restart the functions app for TTS_STYLE. " +
      "Restart the streaming hosts for all of them: they read settings at their start only.",
  );
  expect(changedSettingsNote(["CORS_ALLOWED_ORIGINS"])).not.toContain("the functions app");
});
