/** Your own tools for dialogues: code, HTTP requests and tool servers, set up as the service sets them up. */
import type { Catalog } from "@voice/shared/catalog/catalog";
import { identityOf } from "@voice/shared/config/load-configuration";
import { partsOf } from "@voice/shared/config/parts";
import type { Settings } from "@voice/shared/config/settings";
import { systemClock } from "@voice/shared/platform/clock";
import type { Logger } from "@voice/shared/platform/logger";
import { demoTools } from "@voice/shared/demo/demo-parts";
import type { Tool } from "@voice/shared/tools/tool";
import { composeTools } from "@voice/streaming-host/compose/tools";

export interface DialogueTools {
  /** The tools that agents of the catalog list, apart from the built-in ones. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** A line for each tool server that could not be reached. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** `code`: the built-in tools and those of TOOLS_DIR. Waits until every tool server was tried. */
export async function composeDialogueTools(
  catalog: Catalog,
  code: ReadonlyMap<string, Tool>,
  settings: Settings,
  logger: Logger,
): Promise<DialogueTools> {
  const identity = identityOf(settings, () => import("@voice/shared/config/cloud"));
  const all = await composeTools(
    { settings, parts: partsOf(settings), clock: systemClock, logger },
    code,
    catalog,
    identity,
  );
  await all.tried;
  const listed = new Set([...catalog.agents.values()].flatMap(({ tools }) => tools));
  const own = [...listed].flatMap((name) => (demoTools.has(name) ? [] : (all.find(name) ?? [])));
  return {
    tools: new Map(own.map((tool) => [tool.name, tool])),
    problems: all
      .servers()
      .flatMap(({ name, error }) => (error === undefined ? [] : [`MCP_SERVERS: ${name}: ${error}`])),
    close: () => all.close(),
  };
}
