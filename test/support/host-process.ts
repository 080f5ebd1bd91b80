import { fileURLToPath } from "node:url";
import { createRestartableProcess } from "./restartable-process.ts";
import type { RestartableProcess } from "./restartable-process.ts";

const main = fileURLToPath(new URL("../../streaming-host/src/main.ts", import.meta.url));

/** A streaming host in a process of its own: from source, or the package whose entry file is given. */
export function createHostProcess(
  port: number,
  environment: Readonly<Record<string, string>>,
  script: string = main,
): RestartableProcess {
  return createRestartableProcess({
    what: "the streaming host",
    port,
    script,
    environment: { PORT: `${port}`, ...environment },
    readyPath: "/readyz",
  });
}
