/**
 * One piece of a conversation's flight record: the state that the turn machine was in, and the events that it met from
 * there, with what it decided about each. Each piece can be replayed by itself, so the oldest may be dropped.
 */
import { z } from "zod";
import { flightEvent } from "./flight-event.ts";
import { flightSettings, flightState } from "./flight-state.ts";

/** Grows when what was written before can no longer be read. */
export const flightFormat = 1;

const effectJson = z.looseObject({ type: z.string() });

/** As JSON has it: it is compared and shown, never carried out. */
export type EffectJson = z.infer<typeof effectJson>;

const flightStep = z.object({
  event: flightEvent,
  effects: z.array(effectJson),
  /** Where they are others than before: what it decided by from here on. */
  settings: flightSettings.optional(),
});

export const flightSegment = z.object({
  format: z.literal(flightFormat),
  /** The wall clock at the first event, whose `atMs` is the session's. */
  wallMs: z.number(),
  state: flightState,
  settings: flightSettings,
  steps: z.array(flightStep).min(1),
});

export type FlightSegment = z.infer<typeof flightSegment>;

/** What `GET /sessions/{id}/flight-record` answers, or a file of it. */
export const flightRecord = z.object({ session_id: z.string(), segments: z.array(flightSegment).min(1) });

export type FlightRecord = z.infer<typeof flightRecord>;
