/** Zod compiles its checks with `new Function` where it may; this page's content security policy says that it may not. */
import { z } from "zod";

z.config({ jitless: true });
