/**
 * `POST /dialogues?scenario=…&versions=0,3` of the local start (without `versions`, the files alone): holds a scenario's dialogues for the console's Build page, and answers
 * with a line of JSON for each one as soon as it is over. They run in a process of their own, so as not to disturb live audio.
 */
import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { foreignHostProblem } from "@voice/shared/auth/foreign-host";
import { originProblem } from "@voice/shared/auth/origin";
import type { Settings } from "@voice/shared/config/settings";
import type { PageListener } from "../service.ts";

const command = fileURLToPath(new URL("dialogues-cli.ts", import.meta.url));

/** Matches a scenario's name, and nothing that could be read as a command-line option. */
const scenarioName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

const versionNumbers = /^\d{1,6}(?:,\d{1,6}){1,3}$/;

/**
 * One scenario at a time, because dialogues use all of a core. Not offered with authentication on: operators use the command. `program`: the
 * one that holds them, and its arguments.
 */
export function serveDialogues(
  settings: Settings,
  program: readonly [string, ...string[]] = [process.execPath, command],
): PageListener {
  let isHolding = false;
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://local");
    if (pathname !== "/dialogues" || request.method !== "POST" || settings.enableAuthValidation) return false;
    const scenario = searchParams.get("scenario") ?? "";
    const versions = searchParams.get("versions") ?? undefined;
    if (!isOwn(request, settings)) refuse(response, 403, "Only this service's own page may ask for that.");
    else if (!scenarioName.test(scenario)) refuse(response, 400, "Which scenario?");
    else if (versions !== undefined && !versionNumbers.test(versions)) refuse(response, 400, "Which versions?");
    else if (isHolding) refuse(response, 409, "Dialogues are being held already. Wait until they are over.");
    else {
      isHolding = true;
      const { localPort } = request.socket;
      const compared = versions === undefined ? [] : ["--versions", versions, "--url", `http://127.0.0.1:${localPort}`];
      hold(["--scenario", scenario, ...compared], program, response, () => {
        isHolding = false;
      });
    }
    return true;
  };
}

function hold(
  held: readonly string[],
  [file, ...before]: readonly [string, ...string[]],
  response: ServerResponse,
  onOver: () => void,
): void {
  const child = spawn(file, [...before, "--json", ...held], { stdio: ["ignore", "pipe", "pipe"] });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(0, 2000);
  });
  response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
  // Sends the headers now, so that the page knows that the dialogues have started before the first one is over.
  response.flushHeaders();
  child.stdout.pipe(response, { end: false });
  const end = (problem: string | undefined): void => {
    onOver();
    response.end(problem === undefined ? undefined : `${JSON.stringify({ problem })}\n`);
  };
  child.once("error", () => end("The dialogues could not be started."));
  // Exit code 1 means that some did not go as written, which their lines already say.
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
