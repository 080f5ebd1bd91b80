/** What somebody who watches a conversation, or listens in, may send. */
import { z } from "zod";

import { pingInput } from "./ping-input.ts";

const renewInput = z.object({
  type: z.literal("renew"),
  ticket: z
    .string()
    .min(1)
    .max(256)
    .describe(
      "From POST /realtime/token, for the same purpose and session: the socket stays open as long as its token.",
    ),
});

export const onlookerInput = z.discriminatedUnion("type", [renewInput, pingInput]);
