/** The named events that can happen to a phone call, and when each is possible. */
import type { PhoneCall } from "./phone-call.ts";

export interface CallMove {
  readonly words: string;
  readonly isPossible: (call: PhoneCall) => boolean;
  readonly make: (call: PhoneCall) => Promise<void>;
}

const always = (): boolean => true;
const move = (words: string, isPossible: CallMove["isPossible"], make: CallMove["make"]): CallMove => ({
  words,
  isPossible,
  make,
});

export const picksUp = move("somebody picks up, and the service says so", onLine("rings"), async (call) => {
  call.line = "talks";
  await call.tell("CallConnected");
});

export const putsOnHold = move(
  "an agent, or another host for it, puts the caller on hold",
  onLine("talks"),
  async (call) => {
    call.putOnHold();
    await call.rig.settle();
  },
);

export const callMoves: readonly CallMove[] = [
  picksUp,
  move("somebody picks up, and the stream is there before the service says so", onLine("rings"), async (call) => {
    call.line = "talks";
    await call.streamOpens();
  }),
  move(
    "the service says late, or again, that somebody has picked up",
    ({ line, told }) => line === "talks" || (line === "gone" && told.includes("CallConnected")),
    (call) => call.tell("CallConnected"),
  ),
  move("the far end hangs up, and the service says so", onLine("talks"), async (call) => {
    call.line = "gone";
    await call.tell("CallDisconnected");
  }),
  move("the far end hangs up, and nobody says so", onLine("talks"), async (call) => {
    call.line = "gone";
  }),
  move("the far end is busy", onLine("rings"), async (call) => {
    call.line = "gone";
    await call.tell("CreateCallFailed", 486);
  }),
  move("the far end is busy, and the service says first that the call is over", onLine("rings"), async (call) => {
    call.line = "gone";
    await call.tell("CallDisconnected", 0);
    await call.tell("CreateCallFailed", 486);
  }),
  move(
    "the far end is busy, and the service says so before it says that the call is over",
    onLine("rings"),
    async (call) => {
      call.line = "gone";
      await call.tell("CreateCallFailed", 486);
      await call.tell("CallDisconnected", 0);
    },
  ),
  move(
    "the service says from now on that it knows no such call",
    ({ line, isDenied }) => !isDenied && line !== "gone",
    async (call) => {
      call.isDenied = true;
    },
  ),
  move(
    "the service knows the call again",
    ({ isDenied }) => isDenied,
    async (call) => {
      call.isDenied = false;
    },
  ),
  move(
    "a host has the stream",
    ({ line, isCarried }) => line === "talks" && !isCarried,
    (call) => call.isCarriedNow(),
  ),
  move(
    "the service says again that it is over",
    ({ told }) => told.includes("CallDisconnected"),
    (call) => call.tell("CallDisconnected"),
  ),
  move("the request to place it comes again", always, (call) => call.rig.place()),
  move("an operator ends it", always, (call) => call.rig.terminate()),
  move("the conversation comes to its end", onLine("talks"), (call) => call.conversationEnds()),
  move("an agent asks for a person", onLine("talks"), async (call) => {
    call.transfer();
    await call.rig.settle();
  }),
  move("the transfer succeeds", wasAsked("transfer"), async (call) => {
    call.line = "gone";
    await call.tellOf("transfer", "CallTransferAccepted", 200);
  }),
  move("the transfer fails", wasAsked("transfer"), (call) => call.tellOf("transfer", "CallTransferFailed", 486)),
  move("an agent presses a key, or another host does it again", onLine("talks"), async (call) => {
    call.pressKeys();
    await call.rig.settle();
  }),
  move("the key was pressed", wasAsked("sendDigits"), (call) =>
    call.tellOf("sendDigits", "SendDtmfTonesCompleted", 200),
  ),
  putsOnHold,
  move("the service says whether the caller hears music", wasAsked("hold"), (call) => call.tellWhoIsThere()),
  move("the service cannot play music", hearsMusic, async (call) => {
    call.hasMusic = false;
    await call.tellOf("hold", "HoldFailed", 400);
  }),
  move("the music ends by itself", hearsMusic, async (call) => {
    call.hasMusic = false;
    await call.tellWhoIsThere();
  }),
  move("another stream of the call opens", onLine("talks"), (call) => call.streamOpens()),
  move(
    "the service refuses what it is asked next",
    ({ rig }) => rig.failures.length === 0,
    async (call) => {
      call.refuseOnce();
    },
  ),
  move(
    "the service does what it is asked next, and its answer is lost",
    ({ losesAnswer }) => !losesAnswer,
    async (call) => {
      call.losesAnswer = true;
    },
  ),
  move(
    "the service's latest callback comes again",
    ({ hasTold }) => hasTold,
    (call) => call.tellAgain(),
  ),
  move("another host takes over", always, (call) => call.hostIsReplaced()),
  move("four seconds pass", always, (call) => call.rig.settle(4000)),
];

function onLine(line: PhoneCall["line"]): CallMove["isPossible"] {
  return (call) => call.line === line;
}

function hearsMusic({ hasMusic, line }: PhoneCall): boolean {
  return hasMusic && line === "talks";
}

function wasAsked(operation: string): CallMove["isPossible"] {
  return ({ rig, line }) => line === "talks" && rig.operations().some((name) => name === operation);
}
