/** What `use-settings-file.ts` does in the main thread. */
import { explainStartFailure } from "@voice/shared/config/explain-start-failure";
import { withSettingsFile } from "./settings-file.ts";

try {
  Object.assign(process.env, withSettingsFile(process.env));
} catch (error) {
  process.stderr.write(`${explainStartFailure(error, "npm start")}\n`);
  process.exit(1);
}
