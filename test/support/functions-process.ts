/**
 * A functions app in a process of its own, as Azure runs it: nothing provided, everything from the settings. Arguments: the
 * entry file, and the port where it is not to be any free one.
 */
import { loadFunctionsApp } from "@voice/local/functions-host/functions-app";
import { serveFunctions } from "@voice/local/functions-host/serve";

const [entry = "", port = "0"] = process.argv.slice(2);
const served = await serveFunctions(await loadFunctionsApp(entry), { port: Number(port) });
console.log(served.url);
process.once("SIGTERM", () => void served.close());
