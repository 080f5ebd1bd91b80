/** The fleet with one agent of few words (`test/fixtures/survival-catalog`), the office it books tables at, and a way to watch both. */
import { fileURLToPath } from "node:url";
import { startBookingOffice } from "./booking-office.ts";
import type { BookingOffice } from "./booking-office.ts";
import { startCallFleet } from "./call-fleet.ts";
import type { CallFleet, CallFleetOptions } from "./call-fleet.ts";
import { watchLiveEvents } from "./live-events.ts";
import type { LiveEvents } from "./live-events.ts";

export interface ClerkFleet {
  readonly fleet: CallFleet;
  readonly office: BookingOffice;
  readonly live: LiveEvents;
  close(): Promise<void>;
}

/** What the clerk says to everybody. */
export const clerkGreeting = "assistant: What can I do for you?";
export const clerkBooked = "assistant: Your table is booked.";

export async function startClerkFleet(options: CallFleetOptions): Promise<ClerkFleet> {
  const office = await startBookingOffice();
  const fleet = await startCallFleet({
    ...options,
    environment: {
      CATALOG_DIR: fileURLToPath(new URL("../fixtures/survival-catalog", import.meta.url)),
      AGENT_SCENARIO: "survival",
      MCP_SERVERS: `booking=${office.url}`,
      ...options.environment,
    },
  });
  const live = await watchLiveEvents(fleet.state);
  return {
    fleet,
    office,
    live,
    async close() {
      await live.close();
      await fleet.close();
      await office.close();
    },
  };
}
