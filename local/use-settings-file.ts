/**
 * Loaded before a program (`node --import`): puts the values of local.settings.json into the environment of this process,
 * under those that it has. Its worker threads, which Node has load this as well, have that environment already.
 */
import { isMainThread } from "node:worker_threads";

if (isMainThread) await import("./read-settings-file.ts");
