/** `npm start` as a newcomer types it, on a port of the machine's choice. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { startServerProcess } from "../support/server-process.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { eventually } from "../support/wait.ts";

const script = fileURLToPath(new URL("../../local/start.ts", import.meta.url));

let started: ServerProcess;

beforeAll(async () => {
  started = await startServerProcess(script, [], { PORT: "0" });
});

afterAll(async () => {
  await started.stop();
});

describe("npm start", () => {
  it("offers its pages to be phones", async () => {
    const response = await fetch(`${started.url}/api/v1/browser/status`);
    expect(await response.json()).toMatchObject({ features: { simulated_phones: true } });
  });

  it("has a telephone network that finds it back, whatever its port", async () => {
    const placed = await fetch(`${started.url}/api/v1/calls/initiate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ target_number: phoneNumbers.busy }),
    });
    expect(placed.status).toBe(200);
    const list = z.object({ calls: z.array(z.object({ status: z.string() })) });
    await eventually(async () => {
      const response = await fetch(`${started.url}/api/v1/calls/`);
      return list.parse(await response.json()).calls[0]?.status === "failed";
    }, "the network has told that the phone is busy");
  });
});
