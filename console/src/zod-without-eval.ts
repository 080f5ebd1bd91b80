/** Zod compiles its checks with `new Function` if allowed, which this page's content security policy forbids. */
import { z } from "zod";

z.config({ jitless: true });
