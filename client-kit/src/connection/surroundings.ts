/** What every socket of a page has: the only place that names time, chance and the browser's sockets. */
import { systemClock } from "@voice/shared/platform/clock";
import { openBrowserSocket } from "./open-browser-socket.ts";
import type { SocketSurroundings } from "./reconnecting-socket.ts";
import { whenBack } from "./when-back.ts";

export const pageSurroundings: SocketSurroundings = {
  clock: systemClock,
  random: Math.random,
  openSocket: openBrowserSocket,
  whenBack,
};
