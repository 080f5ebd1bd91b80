/**
 * `npm run package [-- functions|streaming-host|provider-kit|client-kit …] [--out folder] [--source-maps] [--no-local-speech]`: builds what is deployed
 * into out/functions and out/streaming-host (or below the folder).
 */
import path from "node:path";
import { z } from "zod";
import { readToolArguments, refuseArguments } from "../command-line/tool-arguments.ts";
import { pathOf } from "./build-options.ts";
import { packageClientKit } from "./package-client-kit.ts";
import { packageFunctions } from "./package-functions.ts";
import { packageProviderKit } from "./package-provider-kit.ts";
import { packageService } from "./package-service.ts";
import { packageStreamingHost } from "./package-streaming-host.ts";

const names = ["functions", "streaming-host"] as const;
/** Made only where they are named: they are not deployed, but installed by those who write providers and pages, and by projects. */
const installed = ["provider-kit", "client-kit", "service"] as const;

const tool = {
  name: "npm run package",
  help: `Makes what is deployed.

  npm run package                        both, in out/functions and out/streaming-host
  npm run package -- streaming-host      one of them
  npm run package -- provider-kit        what providers of your own are written with (docs/models.md)
  npm run package -- client-kit          what puts an agent into a page or program of your own (docs/clients.md)
  npm run package -- service             the whole service, for projects outside of this repository (docs/releases.md)

  --out FOLDER         below this folder instead of out
  --source-maps        with the source maps
  --no-local-speech    without the local recogniser and synthesiser`,
  allowPositionals: true,
  options: {
    out: z.string().optional(),
    "source-maps": z.boolean().default(false),
    "local-speech": z.boolean().default(true),
  },
};
const { values, positionals } = readToolArguments(tool);
const unknown = positionals.filter((name) => ![...names, ...installed].some((known) => known === name));
if (unknown.length > 0)
  refuseArguments(
    tool,
    `there is no package called ${unknown.join(", ")}; there are ${[...names, ...installed].join(", ")}`,
  );
const folder = values.out === undefined ? pathOf("out") : path.resolve(values.out);
for (const name of names) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const options = {
    out: path.join(folder, name),
    sourceMaps: values["source-maps"],
    localSpeech: values["local-speech"],
  };
  const described = name === "functions" ? await packageFunctions(options) : await packageStreamingHost(options);
  console.log(`${path.relative(process.cwd(), options.out)}: ${described}`);
}
for (const name of installed) {
  if (!positionals.includes(name)) continue;
  const out = path.join(folder, name);
  const described =
    name === "service"
      ? await packageService({ out, sourceMaps: values["source-maps"] })
      : await (name === "client-kit" ? packageClientKit(out) : packageProviderKit(out));
  console.log(`${path.relative(process.cwd(), out)}: ${described}`);
}
