/** Values that settings of the usual kinds take, and others that they refuse. */
import { guid } from "./completing-settings.ts";

export interface SettingValues {
  /** As they are written, and what they mean. */
  readonly good: readonly (readonly [string, unknown])[];
  readonly bad: readonly string[];
}

export const server: SettingValues = {
  good: ["https://models.example/v1", "http://127.0.0.1:11434/v1"].map((url) => [`${url}/`, url]),
  bad: [
    "models.example",
    "ftp://models.example",
    "https://user:pass@models.example/v1",
    "https://models.example/?key=k",
  ],
};

export const onOff: SettingValues = {
  good: [
    ["true", true],
    ["True", true],
    ["1", true],
    ["false", false],
    ["0", false],
  ],
  bad: ["yes", "2", "on"],
};
export const hosts: SettingValues = {
  good: [["a.example, localhost:8080,[::1]:80", ["a.example", "localhost:8080", "[::1]:80"]]],
  bad: ["https://a.example", "a.example/x", "A.example", "*"],
};
export const distances: SettingValues = { good: [["far", "far"]], bad: ["on"] };
export const anyText: SettingValues = { good: [["some text", "some text"]], bad: [] };
export const httpsUrl: SettingValues = {
  good: [
    ["https://host.example", "https://host.example"],
    ["https://host.example/path/", "https://host.example/path"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://127.0.0.1:1", "http://127.0.0.1:1"],
    ["http://[::1]:1", "http://[::1]:1"],
  ],
  bad: [
    "http://host.example",
    "host.example",
    "ftp://host.example",
    "https://user:pass@host.example",
    "wss://host.example",
  ],
};
/** A URL that is used as it is written, because a server may distinguish addresses with and without a slash at the end. */
export const exactUrl: SettingValues = {
  good: [
    ["https://host.example/path/", "https://host.example/path/"],
    ["https://host.example/file?sig=a/", "https://host.example/file?sig=a/"],
    ["http://localhost:8080", "http://localhost:8080"],
  ],
  bad: httpsUrl.bad,
};
export const aGuid: SettingValues = {
  good: [[guid, guid]],
  bad: ["not-a-guid", `${guid}0`, guid.replaceAll("-", "")],
};
export const range = (low: number, high: number, factor = 1): SettingValues => ({
  good: [
    [String(low), Math.round(low * factor)],
    [String(high), Math.round(high * factor)],
  ],
  bad: [String(low - 1), String(high + 1), "many", "1e3", "0x10", "NaN"],
});
