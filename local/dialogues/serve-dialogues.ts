/**
 * `POST /dialogues?scenario=…` of the local start: holds a scenario's dialogues for the console's Build page, and answers
 * with a line of JSON for each as soon as it was held. In a process of its own, because none of it belongs beside live audio.
 */
import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { foreignHostProblem } from "@voice/shared/auth/foreign-host";
import { originProblem } from "@voice/shared/auth/origin";
import type { Settings } from "@voice/shared/config/settings";
import type { PageListener } from "../service.ts";

const command = fileURLToPath(new URL("dialogues-cli.ts", import.meta.url));

/** A scenario's name, and nothing that could be an option. */
const scenarioName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export interface DialogueServerOptions {
  readonly settings: Settings;
  /** What holds them: a program and what it is started with. */
  readonly program?: readonly [string, ...string[]];
}

/** One scenario at a time: they take all of a core. Not where authentication is on: whoever runs it has the command. */
export function serveDialogues({
  settings,
  program = [process.execPath, command],
}: DialogueServerOptions): PageListener {
  let isHolding = false;
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://local");
    if (pathname !== "/dialogues" || request.method !== "POST" || settings.enableAuthValidation) return false;
    const scenario = searchParams.get("scenario") ?? "";
    if (!isOwn(request, settings)) refuse(response, 403, "Only this service's own page may ask for that.");
    else if (!scenarioName.test(scenario)) refuse(response, 400, "Which scenario?");
    else if (isHolding) refuse(response, 409, "Dialogues are being held already. Wait until they are over.");
    else {
      isHolding = true;
      hold(scenario, program, response, () => {
        isHolding = false;
      });
    }
    return true;
  };
}

function hold(
  scenario: string,
  [file, ...before]: readonly [string, ...string[]],
  response: ServerResponse,
  onOver: () => void,
): void {
  const child = spawn(file, [...before, "--json", "--scenario", scenario], { stdio: ["ignore", "pipe", "pipe"] });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, 2000);
  });
  response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
  // The page knows that they are being held before the first of them was.
  response.flushHeaders();
  child.stdout.pipe(response, { end: false });
  const end = (problem: string | undefined): void => {
    onOver();
    response.end(problem === undefined ? undefined : `${JSON.stringify({ problem })}\n`);
  };
  child.once("error", () => end("The dialogues could not be started."));
  // 1: some did not go as written, which their lines have said.
  child.once("close", (code) => end(code === 0 || complaint === "" ? undefined : complaint.trim()));
  response.once("close", () => child.kill());
}

function isOwn({ headers }: IncomingMessage, settings: Settings): boolean {
  const read = (name: string): string | undefined => [headers[name]].flat()[0];
  return foreignHostProblem(headers.host, settings) === undefined && originProblem(read, settings) === undefined;
}

function refuse(response: ServerResponse, status: number, detail: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ detail }));
}
