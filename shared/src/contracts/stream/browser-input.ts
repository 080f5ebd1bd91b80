/**
 * What a browser (or any test client) may send on `/browser/conversation` and, apart from binary audio, on
 * `/media/stream`. Fields may stand flat beside `type` or inside `payload`: both are read. Binary frames are
 * PCM16 mono at the session's rate and are not described here.
 */
import { z } from "zod";

import { pingInput } from "./ping-input.ts";

const audioOutput = z.enum(["base64", "binary"]);

export const controlActions = ["start", "stop", "pause", "resume", "reset"] as const;

export const browserInput = z.discriminatedUnion("type", [
  z.object({ type: z.literal("audio_data"), data: z.base64() }),
  z.object({
    type: z.literal("control"),
    action: z
      .enum(controlActions)
      .describe(
        "`pause`: the agent is deaf and mute, until `start` or `resume`. `reset`: another conversation begins, with a new id. `stop`: it ends.",
      ),
  }),
  z
    .object({
      type: z.literal("config"),
      scenario: z.string().max(64).optional(),
      agent: z.string().max(64).optional(),
      agent_overrides: z
        .record(
          z.string().max(64),
          z.strictObject({
            voice: z
              .strictObject({
                voice_name: z.string().max(128).optional(),
                voice_style: z.string().max(64).optional(),
              })
              .optional(),
          }),
        )
        .optional()
        .describe("By agent, for this conversation."),
      audio_output: audioOutput
        .optional()
        .describe("How the agent's audio is sent; `base64` at first. At any time, and not on media streams."),
      profile_id: z.string().max(64).optional().describe("The customer, from POST /profiles/generate, who is talking."),
      language: z
        .string()
        .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})+$/, "must be a language tag such as en-US")
        .max(35)
        .optional()
        .describe("What agents hear and speak that name no language."),
      time_zone: z
        .string()
        .max(64)
        .optional()
        .describe("Where the caller is, such as `Europe/Berlin`; a zone that does not exist is refused."),
    })
    .describe("Before the first turn; a further one leaves what it does not name as it is."),
  z.object({ type: z.literal("text"), text: z.string().trim().min(1).max(4000) }).describe("A whole turn, typed."),
  z
    .object({ type: z.literal("dtmf"), digits: z.string().regex(/^[0-9*#A-D]{1,32}$/) })
    .describe("Keys; `#`, or two seconds without one, ends them."),
  z
    .object({ type: z.literal("stop_audio") })
    .describe('The caller has finished: what was said is a turn now. Also sent as `{"kind":"StopAudio"}`.'),
  pingInput,
]);

export type BrowserInput = z.infer<typeof browserInput>;
export type AudioOutput = z.infer<typeof audioOutput>;
