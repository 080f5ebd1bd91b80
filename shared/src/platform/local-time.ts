/** The day and the minute in a given time zone. */
import { dayIn } from "./local-day.ts";

/** `minute`: after midnight, by the clock on the wall there. */
export function timeIn(timeZone: string, wallMs: number): { readonly day: string; readonly minute: number } {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const [hour = 0, minute = 0] = format.format(wallMs).split(":").map(Number);
  return { day: dayIn(timeZone, wallMs), minute: hour * 60 + minute };
}
