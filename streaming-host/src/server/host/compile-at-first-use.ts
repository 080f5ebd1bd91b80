import { setFlagsFromString } from "node:v8";

/**
 * From now on V8 compiles a function when it first runs. A turn's code runs a few times a second, so V8 would interpret most of it
 * for the first thousands of turns. Called when the start is over: compiled too, the code that only starts the host would keep 12 MB more
 * resident than all of it does interpreted.
 */
export function compileAtFirstUse(): void {
  setFlagsFromString("--always-sparkplug");
}
