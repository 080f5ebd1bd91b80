/**
 * `npm run walks`: how far the values travel that everything is made from, so that no bag of them grows unnoticed
 * (the decision on one value per lifetime, 050).
 */
import { fileURLToPath } from "node:url";
import { API } from "typescript/unstable/sync";
import { readToolArguments } from "./command-line/tool-arguments.ts";
import { Walk } from "./walks/walk.ts";

/** What each walk takes today. A change that shortens one lowers its limits. */
const limits = [
  { from: "compose/open-host.ts:openHost:*", rooms: 18, names: 25 },
  { from: "compose/host.ts:composeHost:*", rooms: 50, names: 66 },
  { from: "server/conversations/open/open-session.ts:openSession:shared", rooms: 12, names: 17 },
  { from: "server/conversations/conversations.ts:Conversations:host", rooms: 17, names: 14 },
  { from: "calls/call-control.ts:startCallControl:host", rooms: 7, names: 11 },
  { from: "calls/call-event-handlers.ts:callEventHandlers:parts", rooms: 22, names: 20 },
];

const help = `Measures how many files the widest parameters enter, and under how many names; fails beyond the limits in local/walks.ts.

  npm run walks
  npm run walks -- FILE:FUNCTION-OR-CLASS:PARAMETER   one walk, room by room; FILE from streaming-host/src, * for all parameters`;

const { positionals } = readToolArguments({ name: "npm run walks", help, allowPositionals: true });
const root = fileURLToPath(new URL("..", import.meta.url));
const config = `${root}streaming-host/tsconfig.json`;
const api = new API({ cwd: root });
const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
if (project === undefined) throw new Error(`${config} cannot be read`);

for (const from of positionals.length > 0 ? positionals : limits.map((limit) => limit.from)) {
  const [file = "", functionName = "", parameterName = ""] = from.split(":");
  const walk = new Walk(project);
  walk.begin(`${root}streaming-host/src/${file}`, functionName, parameterName);
  const names = new Set([...walk.rooms.values()].flatMap((found) => [...found]));
  console.log(`${from}: ${walk.rooms.size} rooms, ${names.size} names`);
  if (positionals.length > 0)
    for (const [room, found] of walk.rooms) console.log(`  ${room.slice(root.length)}: ${[...found].join(", ")}`);
  const limit = limits.find((one) => one.from === from);
  if (limit === undefined || (walk.rooms.size <= limit.rooms && names.size <= limit.names)) continue;
  console.error(
    `  at most ${limit.rooms} rooms and ${limit.names} names: build the new part where its dependencies are`,
  );
  process.exitCode = 1;
}
api.close();
