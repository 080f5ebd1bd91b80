/** The table of routes.yaml: what a conversation is about, by the number that was called or by its channel (ROUTE in docs/agents.md). */
import { z } from "zod";
import { lineOf } from "../config/called-numbers.ts";
import { tenantForm } from "../auth/tenant.ts";
import { sameRawId, type Party } from "../calls/party.ts";
import { inCamelCase } from "../platform/camel-case.ts";
import { dayIn } from "../platform/local-day.ts";
import { knownLanguage, knownTimeZone } from "./known-languages.ts";
import { didYouMean } from "./nearest-name.ts";
import { oneOrMore } from "./one-or-more.ts";
import { closedDay, isOpen, openingHours, toOpeningHours, type OpeningHours } from "./opening-hours.ts";
import type { CatalogProblem } from "./problems.ts";
import type { Scenario } from "./scenario.ts";

export const routesPath = "routes.yaml";

const routedChannels = ["phone", "browser", "media", "telephony"] as const;
export type RoutedChannel = (typeof routedChannels)[number];

const name = z.string().min(1).max(64);
const line = z
  .string({ error: "expected a number in quotes, or YAML makes a number of it" })
  .refine((text) => lineOf(text) !== undefined, "expected a phone number with its country code, or a raw id");

export const routeFile = z
  .strictObject({
    number: oneOrMore(line, "expected a number in quotes, or a list of them").optional(),
    channel: z.enum(routedChannels).optional(),
    tenant: z.string().regex(tenantForm, "expected a name such as acme").optional(),
    scenario: name,
    agent: name.optional(),
    language: knownLanguage.optional(),
    time_zone: knownTimeZone.optional(),
    hours: openingHours.optional(),
    closed_on: z.array(closedDay).max(366).default([]),
    closed: z
      .union(
        [
          z.strictObject({ scenario: name, agent: name.optional() }),
          z.strictObject({ say: z.string().trim().min(1).max(1000) }),
        ],
        { error: "expected { scenario: … } or { say: … }" },
      )
      .optional(),
  })
  .superRefine(({ number, channel, tenant, hours, closed, closed_on }, context) => {
    const report = (key: string, message: string): void => context.addIssue({ code: "custom", path: [key], message });
    if ((number === undefined) === (channel === undefined)) report("number", "expected either number or channel");
    if ((hours === undefined) !== (closed === undefined))
      report("closed", "hours and what happens outside of them (closed) belong together");
    if (hours === undefined && closed_on.length > 0) report("closed_on", "only where there are hours");
    if (tenant !== undefined && (channel === "phone" || channel === "telephony"))
      report("tenant", "the tenant of a call is that of the number that was called: name the number");
    if (closed !== undefined && "say" in closed && channel !== undefined && channel !== "phone")
      report("closed", "only a phone call can be answered by a sentence alone; name a scenario");
  });

export const routesFile = z.strictObject({ routes: z.array(routeFile).max(1000) });

export interface RouteTarget {
  readonly scenario: string;
  readonly agent?: string | undefined;
}

export interface ConversationRoute extends RouteTarget {
  /** The called lines, as `lineOf` writes them; empty for a channel's route. */
  readonly lines: readonly string[];
  readonly channel?: RoutedChannel | undefined;
  /** The tenant that owns what arrives here. In the row of a channel, the tenant whose users it is for. */
  readonly tenant?: string | undefined;
  readonly language?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly hours?: OpeningHours | undefined;
  /** What happens outside of the hours. */
  readonly closed?: RouteTarget | { readonly say: string } | undefined;
  /** As it stands in the file, for people. */
  readonly written: z.output<typeof routeFile>;
}

export function toRoutes({ routes }: z.output<typeof routesFile>): readonly ConversationRoute[] {
  return routes.map(toRoute);
}

export function toRoute(route: z.output<typeof routeFile>): ConversationRoute {
  const { number = [], hours, closed_on: closedOn, ...fields } = route;
  return {
    ...inCamelCase(fields),
    lines: number.flatMap((text) => lineOf(text) ?? []),
    hours: hours && toOpeningHours(hours, closedOn),
    written: route,
  };
}

/** A scenario or agent that is not there would only be noticed by a caller, and of two rows for one number one would never count. */
export function routeProblems(
  routes: readonly ConversationRoute[],
  scenarios: ReadonlyMap<string, Scenario>,
): readonly CatalogProblem[] {
  const problems: CatalogProblem[] = [];
  const seen = new Set<string>();
  for (const [index, route] of routes.entries()) {
    const report = (key: string, message: string): void =>
      void problems.push({ file: routesPath, key: `routes.${index}.${key}`, message });
    const check = (path: string, { scenario: wanted, agent }: RouteTarget): void => {
      const scenario = scenarios.get(wanted.toLowerCase());
      if (scenario === undefined)
        report(`${path}scenario`, `unknown scenario "${wanted}"${didYouMean(wanted, scenarios.keys())}`);
      else if (agent !== undefined && !scenario.agents.some((member) => member.toLowerCase() === agent.toLowerCase()))
        report(`${path}agent`, `"${agent}" is not an agent of the scenario "${wanted}"`);
    };
    check("", route);
    if (route.closed !== undefined && "scenario" in route.closed) check("closed.", route.closed);
    const ofChannel = route.channel === undefined ? [] : [`${route.channel} ${route.tenant ?? ""}`];
    for (const key of [...route.lines, ...ofChannel]) {
      if (seen.has(key)) report(route.channel === undefined ? "number" : "channel", "an earlier row has it already");
      seen.add(key);
    }
  }
  return problems;
}

export interface Entrance {
  readonly channel: RoutedChannel;
  /** The number or id that was called; absent where there is none. */
  readonly called?: Party | undefined;
  /** The tenant in the caller's token. */
  readonly tenant?: string | undefined;
}

/** What applies now. */
export interface RouteNow {
  readonly route: ConversationRoute;
  readonly isOpen: boolean;
  /** Undefined where a sentence is said instead. */
  readonly target: RouteTarget | undefined;
  readonly say: string | undefined;
}

/** The row of the number that was called, or else that of the channel. */
export function routeOf(
  routes: readonly ConversationRoute[],
  { channel, called, tenant }: Entrance,
  now: { readonly wallMs: number; readonly timeZone: string },
): RouteNow | undefined {
  const lines = [called?.number, called?.rawId === undefined ? undefined : sameRawId(called.rawId)];
  const byLine = lines.map((one) => one && routes.find((route) => route.lines.includes(one))).find(Boolean);
  const ofChannel = routes.filter((one) => one.channel === channel);
  const route =
    byLine ||
    ofChannel.find((one) => one.tenant !== undefined && one.tenant === tenant) ||
    ofChannel.find((one) => one.tenant === undefined);
  return route && routeNow(route, now);
}

export function routeNow(
  route: ConversationRoute,
  { wallMs, timeZone }: { readonly wallMs: number; readonly timeZone: string },
): RouteNow {
  const { hours, closed } = route;
  const isOpenNow = hours === undefined || isOpen(hours, timeIn(route.timeZone ?? timeZone, wallMs));
  if (isOpenNow || closed === undefined) return { route, isOpen: isOpenNow, target: route, say: undefined };
  const isSpoken = "say" in closed;
  return { route, isOpen: false, target: isSpoken ? undefined : closed, say: isSpoken ? closed.say : undefined };
}

/** The day and the minute after midnight, by the clock on the wall there. */
function timeIn(timeZone: string, wallMs: number): { readonly day: string; readonly minute: number } {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const [hour = 0, minute = 0] = format.format(wallMs).split(":").map(Number);
  return { day: dayIn(timeZone, wallMs), minute: hour * 60 + minute };
}
