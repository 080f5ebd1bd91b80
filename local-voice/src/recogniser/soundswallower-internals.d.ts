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
    /** New features, which know nothing of any line; without a transformation (0). */
    _decoder_init_feat_s3file(decoder: number, transformation: number): number;
    _decoder_fe(decoder: number): number;
    /** Negative when it cannot be done. */
    _acmod_reinit_feat(acousticModel: number, frontEnd: number, features: number): number;
    /** The text's address; writes the score of the best path, 32 bits. */
    _decoder_hyp(decoder: number, scoreAt: number): number;
  }
  interface Decoder {
    readonly cdecoder: number;
    readonly cacmod: number;
  }
}

export type DecoderAddress = number;
