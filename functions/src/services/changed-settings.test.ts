import { namedSettings } from "@voice/shared/config/settings";
import { expect, it } from "vitest";
import { changedSettingsNote } from "./changed-settings.ts";

it("says nothing while nothing has changed", () => {
  expect(changedSettingsNote([])).toBeUndefined();
});

it("names what each application reads anew, and what only a restart brings in", () => {
  expect(changedSettingsNote(["CORS_ALLOWED_ORIGINS", "TTS_STYLE", "VAD_TIMEOUT_MS"])).toBe(
    "Changed since this instance started: CORS_ALLOWED_ORIGINS, TTS_STYLE, VAD_TIMEOUT_MS. " +
      "Restart the functions app for TTS_STYLE. " +
      "Streaming hosts take VAD_TIMEOUT_MS for conversations that begin, within five minutes. " +
      "Restart the streaming hosts for CORS_ALLOWED_ORIGINS, TTS_STYLE.",
  );
  expect(changedSettingsNote(["FILLER_DELAY"])).not.toContain("Restart");
});

it("says of every setting where it is read", () => {
  for (const { name } of namedSettings)
    expect(changedSettingsNote([name])).toMatch(/Streaming hosts take|Restart the streaming/);
});
