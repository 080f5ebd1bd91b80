/**
 * A segment of a conversation's flight record: the turn machine's state at its start, and the events from there with
 * the decision on each. Each segment can be replayed by itself, so the oldest may be dropped.
 */
import { z } from "zod";
import { flightEvent } from "./flight-event.ts";
import { flightSettings, flightState } from "./flight-state.ts";

/** Incremented when older records can no longer be read. */
export const flightFormat = 1;

const effectJson = z.looseObject({ type: z.string() });

/** Plain JSON, because recorded effects are compared and shown but never carried out. */
export type EffectJson = z.infer<typeof effectJson>;

const flightStep = z.object({
  event: flightEvent,
  effects: z.array(effectJson),
  /** The settings from here on, if they changed. */
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

/** The response of `GET /sessions/{id}/flight-record`, also when saved as a file. */
export const flightRecord = z.object({
  session_id: z.string(),
  segments: z.array(flightSegment).min(1),
  /** Beside the decisions, for people: a replay does without. Absent from records of older versions. */
  messages: z.array(z.unknown()).optional(),
  model_requests: z.array(z.unknown()).nullish(),
});

export type FlightRecord = z.infer<typeof flightRecord>;
