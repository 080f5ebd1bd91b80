/** A functions app in a process of its own, as Azure runs it: nothing provided, everything from the settings. Argument: the entry file. */
import { loadFunctionsApp } from "@voice/local/functions-host/functions-app";
import { serveFunctions } from "@voice/local/functions-host/serve";

const [entry = ""] = process.argv.slice(2);
const served = await serveFunctions(await loadFunctionsApp(entry));
console.log(served.url);
process.once("SIGTERM", () => void served.close());
