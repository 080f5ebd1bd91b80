/**
 * zod compiles a function for each schema of an object when it first parses by it, which pays from some hundred objects on. A new instance
 * of the app parses its settings and its catalog once, and then a request now and then. Only schemas that are made after this is loaded obey.
 */
import * as z from "zod";

z.config({ jitless: true });
