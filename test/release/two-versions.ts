/**
 * What two versions have to do for each other while one replaces the other: conversations go on at a host of the other
 * version, and calls work whichever of them runs the functions app and whichever has the host.
 */
import { phoneNumbers } from "../../local/phone/phone-book.ts";
import { z } from "zod";
import { connectBrowser, type Browser } from "../support/browser-client.ts";
import type { CallFleet } from "../support/call-fleet.ts";
import { eventually } from "../support/wait.ts";

/** Of the demonstration's customer, whom a browser is without a profile. */
const socialSecurityDigits = "7296";

const ownAgent = z.object({ session_id: z.string() });

/** The hosts of a fleet, in the order in which it was given their packages. */
const sides = { old: 0, new: 1 } as const;
export type Side = keyof typeof sides;

export const otherSide = (side: Side): Side => (side === "old" ? "new" : "old");

export async function runHost(fleet: CallFleet, side: Side): Promise<void> {
  const host = hostOf(fleet, side);
  if (!host.isRunning) await host.start();
}

function hostOf(fleet: CallFleet, side: Side): CallFleet["hosts"][number] {
  const host = fleet.hosts[sides[side]];
  if (host === undefined) throw new Error(`the fleet has no ${side} host`);
  return host;
}

interface Turn {
  readonly at: Side;
  readonly asks: string;
  /** Loosely, because versions may word an answer differently. */
  readonly hears: RegExp;
}

/** Types each turn at a host of its side, on a connection of its own; resolves with the id of the one conversation that they make. */
export async function converse(fleet: CallFleet, turns: readonly Turn[]): Promise<string> {
  let sessionId: string | undefined;
  for (const { at, asks, hears } of turns) {
    const browser = await connectTo(fleet, at, sessionId);
    const answer = await browser.ask(asks);
    if (!hears.test(answer)) throw new Error(`the ${at} host answers "${asks}" with "${answer}"`);
    if (sessionId !== undefined && browser.sessionId !== sessionId) throw new Error(`the ${at} host begins anew`);
    ({ sessionId } = browser);
    await browser.close();
  }
  if (sessionId === undefined) throw new Error("nothing was said");
  return sessionId;
}

function connectTo(fleet: CallFleet, at: Side, sessionId?: string): Promise<Browser> {
  const resumed = sessionId === undefined ? "" : `?session_id=${sessionId}`;
  return connectBrowser(`ws://127.0.0.1:${hostOf(fleet, at).port}/api/v1/browser/conversation${resumed}`);
}

/** What the functions app says of a conversation: `role: words`. */
export async function historyOf(fleet: CallFleet, sessionId: string): Promise<string[]> {
  const history = await fleet.state.sessions.history(sessionId);
  const response = await fleet.get(`/sessions/${sessionId}`);
  if (!response.ok) throw new Error(`the functions app answers ${response.status} for the conversation`);
  return history.filter(({ role }) => role !== "tool").map(({ role, content }) => `${role}: ${content}`);
}

/**
 * A caller proves at one host who they are, and asks at the other for what needs the proof. A version that does not take
 * the other's proof has to ask for another rather than refuse.
 */
export async function proveIdentity(fleet: CallFleet, at: Side): Promise<void> {
  const sessionId = await converse(fleet, [
    { at, asks: "i need a new card", hears: /last four digits/ },
    { at, asks: socialSecurityDigits, hears: /You are verified/ },
  ]);
  const side = otherSide(at);
  const browser = await connectTo(fleet, side, sessionId);
  const wish = "am i eligible for the travel card";
  let answer = await browser.ask(wish);
  if (/verify your identity/.test(answer)) answer = await browser.ask(wish);
  if (/last four digits/.test(answer)) answer = await browser.ask(socialSecurityDigits);
  await browser.close();
  if (!answer.includes("apply for it")) throw new Error(`the ${side} host answers "${wish}" at last with "${answer}"`);
}

/** A conversation that goes on at a host while the functions app deletes it. */
export async function deleteWhileItGoesOn(fleet: CallFleet, at: Side): Promise<void> {
  const browser = await connectTo(fleet, at);
  await browser.ask("I lost my card");
  const target = `http://127.0.0.1:${fleet.functions.port}/api/v1/sessions/${browser.sessionId}`;
  const deleted = await fetch(target, { method: "DELETE" });
  if (!deleted.ok) throw new Error(`the functions app answers ${deleted.status} to the deletion`);
  const isOver = (): boolean => browser.of("event").some(({ name }) => name === "session_ended");
  await eventually(isOver, `the ${at} host ends the conversation`);
  await browser.close();
  const left = await fetch(target);
  if (left.ok) throw new Error("the functions app still has the conversation");
}

/** An agent that the functions app makes for a session speaks at one host, and then at the other. */
export async function speakAsOwnAgent(fleet: CallFleet, at: Side): Promise<void> {
  const made = await fetch(`http://127.0.0.1:${fleet.functions.port}/api/v1/agents`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "own-helper", prompt: "You help with everything." }),
  });
  if (!made.ok) throw new Error(`the functions app answers ${made.status} to the new agent: ${await made.text()}`);
  const { session_id: sessionId } = ownAgent.parse(await made.json());
  for (const side of [at, otherSide(at)]) {
    const browser = await connectTo(fleet, side, sessionId);
    await browser.close();
    const session = await fleet.state.sessions.get(sessionId);
    const agent = typeof session === "string" ? session : session.activeAgent;
    if (agent !== "own-helper") throw new Error(`at the ${side} host the session has the agent ${agent}`);
  }
}

/** A call that the functions app places and the only host that runs holds, to its end. */
export async function callThrough(fleet: CallFleet, side: Side): Promise<void> {
  await hostOf(fleet, otherSide(side)).stop();
  await runHost(fleet, side);
  const phone = fleet.network.expectCall({ actions: [{ kind: "say", text: "I want to check my balance" }] });
  const callId = await fleet.initiate({ target_number: phoneNumbers.person });
  await phone.finished;
  await expectAnswered(fleet, callId);
}

/** Holds a call whose host is stopped while the agent speaks, as a deployment does it. A host of the other version continues it. */
export async function callMovesFrom(fleet: CallFleet, side: Side): Promise<void> {
  await hostOf(fleet, otherSide(side)).stop();
  await runHost(fleet, side);
  let moved: Promise<unknown> | undefined;
  const move = async (): Promise<void> => {
    await runHost(fleet, otherSide(side));
    await hostOf(fleet, side).stop();
  };
  const phone = fleet.network.expectCall(
    {
      actions: [
        { kind: "say", text: "I want to check my balance" },
        { kind: "say", text: "checking" },
      ],
    },
    ({ kind }) => {
      if (kind === "said") moved ??= move();
    },
  );
  const callId = await fleet.initiate({ target_number: phoneNumbers.person });
  await phone.finished;
  await moved;
  await expectAnswered(fleet, callId);
}

async function expectAnswered(fleet: CallFleet, callId: string): Promise<void> {
  const call = await fleet.ended(callId);
  if (call.status !== "disconnected") throw new Error(`the call ended as ${call.status}`);
  await eventually(async () => (await fleet.spoken(call)).length > 2, "the call's conversation is stored");
  const spoken = await fleet.spoken(call);
  if (!spoken.includes("user: i want to check my balance")) throw new Error(`the call went: ${spoken.join(" | ")}`);
  const listed = await fleet.get(`/calls/?search=${callId}`);
  if (!(await listed.text()).includes(callId)) throw new Error("the functions app does not list the call");
}
