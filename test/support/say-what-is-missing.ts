/** Says once, before the tests, which programs are not there and so which tests are not run. */
import { missingPrograms } from "./installed-programs.ts";

export default function sayWhatIsMissing(): void {
  const missing = missingPrograms();
  if (missing.length > 0) console.warn(`not installed, so the tests that need it are not run: ${missing.join("; ")}`);
}
