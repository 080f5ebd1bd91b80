/**
 * `npm start`: runs the bundle of its sources, which takes the main thread six tenths of the time. Where they have changed since, and under a
 * debugger, the sources themselves run, and a bundle for the next start is made as soon as the service is there.
 */
import { spawn } from "node:child_process";
import inspector from "node:inspector";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { takeFreshBundle } from "./quick-start/bundle.ts";

const bundle = inspector.url() === undefined ? takeFreshBundle() : undefined;
if (bundle === undefined) {
  await import("./start-here.ts");
  if (inspector.url() === undefined) makeBundle();
} else await import(pathToFileURL(bundle).href);

/** In a process of its own that lets everything else go first: it takes seconds of processor and nobody waits for it. */
function makeBundle(): void {
  const script = path.join(import.meta.dirname, "quick-start/make-bundle-cli.ts");
  const maker = spawn(process.execPath, [script], { stdio: ["ignore", "ignore", "inherit"] });
  if (maker.pid !== undefined) setPriority(maker.pid, constants.priority.PRIORITY_LOW);
  maker.on("error", (error) => console.error(`The next start will be as slow as this one: ${error.message}`));
  maker.unref();
}
