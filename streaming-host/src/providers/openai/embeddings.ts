/** Vectors of texts, from a server that speaks OpenAI's protocol. */
import { createClient } from "./client.ts";
import type { ModelAddress } from "./client.ts";
import { toUpstreamError } from "./errors.ts";
import type { Embed } from "../../knowledge/knowledge-base.ts";
import type { VendorContext } from "../vendor-context.ts";

export function createEmbed(
  { model, ...address }: ModelAddress & { readonly model: string },
  context: Pick<VendorContext, "clock" | "logger">,
): Embed {
  const client = createClient(address, context);
  return async (texts, signal) => {
    try {
      // Servers other than OpenAI do not all know base64, in which the client asks for vectors unless told otherwise.
      const { data } = await client.embeddings.create(
        { model, input: [...texts], encoding_format: "float" },
        { signal },
      );
      return data.toSorted((left, right) => left.index - right.index).map(({ embedding }) => embedding);
    } catch (error) {
      if (signal.aborted) throw error;
      throw toUpstreamError(error, "the embedding model");
    }
  };
}
