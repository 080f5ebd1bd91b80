/** What `npm start` leaves to a process of its own: makes the bundle for the next start. */
import { bundlesFolder } from "./bundle.ts";
import { makeBundle, unlessRefused } from "./make-bundle.ts";

await unlessRefused(() => makeBundle(bundlesFolder));
