/** What the package has and does not declare. Loading a grammar of the finite state kind from memory needs it. */
import "soundswallower";

declare module "soundswallower" {
  interface SoundSwallowerModule {
    modelBase: string;
    /** A file in memory; the memory stays the caller's. */
    _s3file_init(address: number, length: number): number;
    _s3file_free(file: number): void;
    /** Negative when the grammar cannot be read. Replaces the decoder's grammar. */
    _decoder_init_grammar_s3file(decoder: number, fsgFile: number, jsgfFile: number): number;
  }
  interface Decoder {
    readonly cdecoder: number;
  }
}

export type DecoderAddress = number;
