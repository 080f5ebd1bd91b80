/** Functions that the package exports without declaring them, needed to load a finite-state grammar from memory. */
import "soundswallower";

declare module "soundswallower" {
  interface SoundSwallowerModule {
    modelBase: string;
    /** A file in memory that stays owned by the caller. */
    _s3file_init(address: number, length: number): number;
    _s3file_free(file: number): void;
    /** Negative when the grammar cannot be read. Replaces the decoder's grammar. */
    _decoder_init_grammar_s3file(decoder: number, fsgFile: number, jsgfFile: number): number;
    /** Replaces the decoder's dictionary: words (0: none) and noises. Returns 0 if they cannot be read. */
    _decoder_init_dict_s3file(decoder: number, words: number, noises: number): number;
    /** Resets the features to those of an unknown line, without a transformation (0). */
    _decoder_init_feat_s3file(decoder: number, transformation: number): number;
    _decoder_fe(decoder: number): number;
    /** Negative on failure. */
    _acmod_reinit_feat(acousticModel: number, frontEnd: number, features: number): number;
    /** Returns the text's address, and writes the 32-bit score of the best path. */
    _decoder_hyp(decoder: number, scoreAt: number): number;
  }
  interface Decoder {
    readonly cdecoder: number;
    readonly cacmod: number;
    /** Called by `initialize`. */
    init_dict(): Promise<void>;
  }
}

export type DecoderAddress = number;
