/**
 * Loaded before a program (`node --import`): writes each module that it loads to the file `LOADED_MODULES`, a line for each, with the name of the
 * thread before it.
 */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { isMainThread } from "node:worker_threads";

const file = process.env["LOADED_MODULES"];
const thread = isMainThread ? "main" : "worker";
if (file !== undefined)
  registerHooks({
    load(url, context, nextLoad) {
      if (url.startsWith("file:")) appendFileSync(file, `${thread} ${url}\n`);
      return nextLoad(url, context);
    },
  });
