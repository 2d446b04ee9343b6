import { brotliDecompressSync } from 'node:zlib';
import { LANGUAGE_PROFILES, LANGUAGES } from '../generated/language-profiles.js';
import { mainScript, OF_SCRIPT } from './scripts.js';

/** A language with its probability. */
export interface LanguageShare {
  /** ISO 639-1 code, or one of those that Chromium's detector has instead: `iw`, `no`, `fil`, `ceb`, `haw`, `hmn`. */
  readonly language: string;
  readonly probability: number;
}

/** Letters of a text that are looked at. */
const LETTERS_MAX = 4000;
/** Units of weights in the profiles: a factor of e each. */
const WEIGHT_UNIT = 32;
/** Trigrams overlap, so that their evidence counts for less than the sum of it. */
const OVERLAP = 3;
/** A text without letters has no language: ISO 639-2 says `zxx`. */
const NO_LANGUAGE = 'zxx';

const WORDS = /[\p{L}\p{M}]+/gu;

/**
 * Tells languages of texts apart: by the script of their letters, then by trigrams of letters within words (Cavnar and
 * Trenkle 1994), whose logarithms of probability above a common floor are added up for each language.
 */
export class LanguageModel {
  /** Place of each trigram in `#starts`. */
  readonly #places = new Map<string, number>();
  readonly #starts: Int32Array;
  readonly #languages: Uint8Array;
  readonly #weights: Uint8Array;
  /** Script of each language of the profiles. */
  readonly #scripts: readonly (string | null)[];

  constructor() {
    const bytes = brotliDecompressSync(Buffer.from(LANGUAGE_PROFILES, 'base64'));
    const [text, counts, weights] = [0, 4, 8].map((at) => bytes.readUInt32LE(at)) as [number, number, number];
    const trigrams = bytes.toString('utf8', 12, 12 + text).split(' ');
    trigrams.forEach((trigram, place) => this.#places.set(trigram, place));
    const sizes = bytes.subarray(12 + text, 12 + text + counts);
    this.#starts = new Int32Array(counts + 1);
    sizes.forEach((size, i) => (this.#starts[i + 1] = this.#starts[i]! + size));
    const from = 12 + text + counts;
    this.#languages = Uint8Array.from(bytes.subarray(from, from + weights));
    this.#weights = Uint8Array.from(bytes.subarray(from + weights, from + 2 * weights));
    const samples = LANGUAGES.map(() => '');
    trigrams.forEach((trigram, place) => {
      for (let at = this.#starts[place]!; at < this.#starts[place + 1]!; at++)
        if (samples[this.#languages[at]!]!.length < 300) samples[this.#languages[at]!] += trigram;
    });
    this.#scripts = samples.map(mainScript);
  }

  /** Bytes that the model takes. */
  get bytes(): number {
    return 100 * this.#places.size + 2 * this.#weights.length;
  }

  /** Codes of all languages. */
  get codes(): readonly string[] {
    return [...new Set([...LANGUAGES, ...OF_SCRIPT.values()])].sort();
  }

  /** Languages of a text, the most probable one first. */
  of(text: string): readonly LanguageShare[] {
    const start = text.slice(0, LETTERS_MAX).normalize('NFC').toLowerCase();
    const script = mainScript(start);
    if (script === null) return [{ language: NO_LANGUAGE, probability: 1 }];
    const only = OF_SCRIPT.get(script);
    if (only !== undefined) return [{ language: only, probability: 1 }];
    const scores = this.#scores(start);
    const found = LANGUAGES.map((language, i) => ({ language, score: scores[i]!, script: this.#scripts[i] })).filter(
      (one) => one.script === script,
    );
    const most = found.reduce((best, { score }) => Math.max(best, score), 0);
    const odds = found.map(({ score }) => Math.exp((score - most) / OVERLAP));
    const total = odds.reduce((sum, value) => sum + value, 0);
    return found
      .map(({ language }, i) => ({ language, probability: odds[i]! / total }))
      .sort((a, b) => b.probability - a.probability || (a.language < b.language ? -1 : 1));
  }

  /** Evidence for each language, as a logarithm. */
  #scores(text: string): Float64Array {
    const scores = new Float64Array(LANGUAGES.length);
    for (const [word] of text.matchAll(WORDS)) {
      const letters = [...word];
      for (let i = 0; i + 3 <= letters.length; i++) {
        const place = this.#places.get(letters[i]! + letters[i + 1]! + letters[i + 2]!);
        if (place === undefined) continue;
        for (let at = this.#starts[place]!; at < this.#starts[place + 1]!; at++) {
          const language = this.#languages[at]!;
          scores[language] = scores[language]! + this.#weights[at]! / WEIGHT_UNIT;
        }
      }
    }
    return scores;
  }
}
