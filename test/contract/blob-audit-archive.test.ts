/** Where audit records are kept for good, with the cloud's client over a real socket. */
import { createBlobAuditArchive } from "@voice/shared/audit/blob-audit-archive";
import { describe, expect, it, onTestFinished } from "vitest";
import { startBlobStorage } from "../fakes/blob-storage.ts";

describe("audit records in append blobs", () => {
  it("[AUDIT-2a] are appended to a blob of the process and the day, also after the storage was away", async () => {
    const storage = await startBlobStorage();
    onTestFinished(() => storage.close());
    let nowMs = Date.UTC(2026, 10, 28, 23, 59);
    const access = { connectionString: storage.connectionString };
    const archive = createBlobAuditArchive({ access, container: "audit", wallNow: () => nowMs });
    await archive.append("one\n");
    await archive.append("two\n");
    nowMs += 120_000;
    storage.fault = "unavailable";
    await expect(archive.append("lost\n")).rejects.toMatchObject({ code: "upstream_unavailable" });
    storage.fault = undefined;
    await archive.append("three\n");
    const [first = "", second = "", ...others] = storage.names();
    expect([first, second, others]).toEqual([
      expect.stringMatching(/^audit\/2026-11-28\/[\w-]+\.jsonl$/),
      expect.stringMatching(/^audit\/2026-11-29\/[\w-]+\.jsonl$/),
      [],
    ]);
    expect([first, second].map((name) => storage.content(name)?.toString())).toEqual(["one\ntwo\n", "three\n"]);
  });
});
