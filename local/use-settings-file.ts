/**
 * Loaded before a program (`node --import`): puts the values of local.settings.json into the environment of this process,
 * under those that it has.
 */
import { explainStartFailure } from "@voice/shared/config/explain-start-failure";
import { withSettingsFile } from "./settings-file.ts";

try {
  Object.assign(process.env, withSettingsFile(process.env));
} catch (error) {
  process.stderr.write(`${explainStartFailure(error, "npm start")}\n`);
  process.exit(1);
}
