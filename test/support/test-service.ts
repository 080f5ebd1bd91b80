/** The whole service in this process, with what a worker keeps from one to the next: the engines and the built-in catalog. */
import { startService } from "../../local/service.ts";
import type { Service, ServiceOptions } from "../../local/service.ts";
import { catalogOf } from "./built-in-catalog.ts";
import { withoutOverload } from "./never-overloaded.ts";
import { servicesSpeech } from "./speech-engines.ts";
import { withWordsAlone } from "./words-alone.ts";

export async function startTestService(options: ServiceOptions): Promise<Service> {
  const catalog = await catalogOf(options.settings);
  const settings = { ...options.settings, ...withoutOverload, ...withWordsAlone };
  return startService({ localSpeech: servicesSpeech, catalog, ...options, settings });
}
