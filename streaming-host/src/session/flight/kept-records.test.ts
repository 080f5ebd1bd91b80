/**
 * `npm run replay -- FILE --keep "what it shows"` puts conversations into `kept/`; each is a test. Where the machine is
 * meant to decide differently from now on, `npm test -- kept-records -u` writes its decisions anew, for the diff to show.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { flightRecord } from "./flight-segment.ts";
import { recordAsTest } from "./record-as-test.ts";

const folder = new URL("kept/", import.meta.url);
const records = readdirSync(folder).map((file) => {
  const path = fileURLToPath(new URL(file, folder));
  return { path, record: flightRecord.parse(JSON.parse(readFileSync(path, "utf8"))) };
});

describe("[FLIGHT-5] a kept conversation is decided as it was when it was kept", () => {
  it.each(records.map(({ path, record }) => [record.session_id, path, record] as const))(
    "%s",
    async (_, path, record) => {
      await expect(recordAsTest(record)).toMatchFileSnapshot(path);
    },
  );
});
