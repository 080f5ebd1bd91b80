import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { withSettingsFile } from "./settings-file.ts";

const folder = mkdtempSync(join(tmpdir(), "settings-file-"));
const path = join(folder, "local.settings.json");
const file = pathToFileURL(path);
afterEach(() => rmSync(path, { force: true }));

describe("local.settings.json", () => {
  it("gives what the environment does not, and an empty variable is none", () => {
    writeFileSync(path, JSON.stringify({ IsEncrypted: false, Values: { PORT: "1", HOST: "h", LOG_LEVEL: "warn" } }));
    expect(withSettingsFile({ PORT: "2", HOST: " ", PATH: "/bin" }, file)).toEqual({
      PORT: "2",
      HOST: "h",
      LOG_LEVEL: "warn",
      PATH: "/bin",
    });
  });

  it("need not be there", () => {
    expect(withSettingsFile({ PORT: "2" }, file)).toEqual({ PORT: "2" });
  });

  it("is refused in one line when it cannot be read", () => {
    writeFileSync(path, "{");
    expect(() => withSettingsFile({}, file)).toThrow("local.settings.json is not JSON");
    writeFileSync(path, '{\n  "Values": { "OPENAI_API_KEY": "sk-1", }\n}');
    expect(() => withSettingsFile({}, file)).toThrow(/local.settings.json is not JSON \(line 2 column \d+\)$/);
    writeFileSync(path, JSON.stringify({ Values: { PORT: 1 } }));
    expect(() => withSettingsFile({}, file)).toThrow(
      "local.settings.json is not of the form of local.settings.example.json: Values.PORT: Invalid input: expected string, received number",
    );
    writeFileSync(path, JSON.stringify({ IsEncrypted: true, Values: {} }));
    expect(() => withSettingsFile({}, file)).toThrow("encrypted");
  });
});
