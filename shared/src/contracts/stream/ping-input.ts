/** A browser hides a socket's own pings from its page, which cannot tell silence from a network that is gone. */
import { z } from "zod";

export const pingInput = z
  .object({ type: z.literal("ping") })
  .describe("Asks for a `pong`, at any time: a sign of life for clients that cannot see the socket's own pings.");
