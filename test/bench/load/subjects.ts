/** Who is measured. Each server is a process of its own that begins anew for every run. */
import { existsSync } from "node:fs";
import path from "node:path";
import { callConnectionId, callSessionId, echoWire, hookWire, mediaWire, type Wire } from "./wire.ts";

export interface Subject {
  readonly name: string;
  /** The server that its ratios are relative to. */
  readonly floor: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly needsService: boolean;
  /** With more it would need more than a core; absent: nobody knows of a limit. */
  readonly mostSessions?: number;
  readonly wire: Wire;
  url(port: number, index: number): string;
  headers?(index: number): Readonly<Record<string, string>>;
}

const cascadeRateHz = 16_000;
const bridgeRateHz = 24_000;

/** The media stream of a phone call of `products.ts`, as the communication service opens it. */
const call = {
  url: (port: number, index: number): string =>
    `ws://127.0.0.1:${port}/api/v1/media/stream?session_id=${callSessionId(index)}`,
  headers: (index: number) => ({ "x-ms-call-connection-id": callConnectionId(index) }),
};
const hook = (port: number): string => `ws://127.0.0.1:${port}/api/v1/telephony/stream`;
/** HOOK-10. */
const hookMessageMs = 200;
const root = (port: number): string => `ws://127.0.0.1:${port}/`;

const own: readonly Subject[] = [
  {
    name: "floor",
    floor: "floor",
    file: "server.ts",
    args: ["floor"],
    needsService: false,
    wire: echoWire,
    url: root,
  },
  {
    name: "cascade",
    floor: "bridge-floor",
    file: "server.ts",
    args: ["cascade"],
    needsService: false,
    wire: mediaWire(cascadeRateHz, { isPaced: true, saysWhatItHears: true }),
    ...call,
  },
  {
    name: "cascade-unprepared",
    floor: "bridge-floor",
    file: "server.ts",
    args: ["cascade"],
    needsService: false,
    wire: mediaWire(cascadeRateHz, { isPaced: true }),
    ...call,
  },
  {
    name: "bridge-floor",
    floor: "bridge-floor",
    file: "server.ts",
    args: ["bridge-floor"],
    needsService: true,
    wire: mediaWire(bridgeRateHz, { isPaced: false, saysWhatItHears: true, endsTurns: false }),
    url: root,
  },
  {
    name: "voice-live",
    floor: "bridge-floor",
    file: "server.ts",
    args: ["voice-live"],
    needsService: true,
    wire: mediaWire(bridgeRateHz, { isPaced: true, saysWhatItHears: true, endsTurns: false }),
    ...call,
  },
  {
    name: "telephony-floor",
    floor: "telephony-floor",
    file: "server.ts",
    args: ["telephony-floor"],
    needsService: true,
    wire: hookWire(undefined),
    url: root,
  },
  {
    name: "telephony",
    floor: "telephony-floor",
    file: "server.ts",
    args: ["telephony"],
    needsService: true,
    wire: hookWire(hookMessageMs),
    url: hook,
  },
];

/** They have packages of their own, which nothing else installs. */
const peers: readonly Subject[] = [
  {
    name: "livekit",
    floor: "floor",
    file: "../peers/livekit-cascade.mjs",
    args: [],
    needsService: false,
    mostSessions: 200,
    wire: mediaWire(cascadeRateHz, { isPaced: true, saysWhatItHears: true }),
    url: root,
  },
  {
    name: "openai-agents",
    floor: "bridge-floor",
    file: "../peers/openai-bridge.mjs",
    args: [],
    needsService: true,
    mostSessions: 200,
    wire: mediaWire(bridgeRateHz, { isPaced: false, saysWhatItHears: true, endsTurns: false }),
    url: root,
  },
];

export const hasPeers = existsSync(path.join(import.meta.dirname, "../peers/node_modules"));
export const subjects: readonly Subject[] = hasPeers ? [...own, ...peers] : own;
