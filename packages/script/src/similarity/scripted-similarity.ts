import { errors } from '@shoal/errors';
import { formatFloat } from '@shoal/values';
import { compile } from '../compile.js';
import type { CompiledScript } from '../compiled-script.js';
import { ScoredDocument, ScoredField, ScoredQuery, ScoredTerm } from '../runtime/scored.js';
import { type InlineScript, isInline, readScript } from '../script-source.js';

/** Scripts of a similarity as the index settings hold them: JSON as `readScript` reads it. */
export interface SimilarityScripts {
  readonly script: unknown;
  /** Null if every term has the weight 1. */
  readonly weightScript: unknown;
}

/** Counts of a term and of its field, and the boost of its query. */
export interface ScoredCounts {
  readonly boost: number;
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

/** A line of an explanation: its value, whether that is a float or a whole number, and what it is. */
export type ScoreLine = readonly [value: number, kind: 'float' | 'whole', text: string];

interface Frame {
  readonly weight: number;
  readonly doc: ScoredDocument;
  readonly values: readonly unknown[];
}

/**
 * A similarity of scripts: `weight_script` weighs a term once for a query, `script` scores it in a document. Scores may
 * not fall with a higher frequency, nor rise with a greater length: searches skip documents by that.
 */
export class ScriptedSimilarity {
  /** As explanations name it. */
  readonly text: string;
  readonly #script: CompiledScript;
  readonly #weightScript: CompiledScript | null;
  /** Variables of the script by the counts of the term. */
  readonly #frames = new WeakMap<ScoredCounts, Frame>();

  /** Throws script_exception, and illegal_argument_exception for a script that is none. */
  constructor({ script, weightScript }: SimilarityScripts) {
    const [scoring, weighing] = [inlineOf(script), weightScript === null ? null : inlineOf(weightScript)];
    this.#script = compile(scoring, 'similarity');
    this.#weightScript = weighing === null ? null : compile(weighing, 'similarity_weight');
    this.text = `ScriptedSimilarity(weightScript=[${shown(weighing)}], script=[${shown(scoring)}])`;
  }

  /** Returns the score as a float. `freq` is a float. Throws for a script that fails, or gives no score. */
  score(counts: ScoredCounts, freq: number, length: number): number {
    const { doc, values } = this.#frameOf(counts);
    doc.freq = freq;
    doc.length = length;
    const score = Math.fround(this.#script.call(values) as number);
    if (score >= 0) return score;
    throw errors.illegalArgument(
      `Similarities must not produce negative scores, but got:\n${this.explanation(counts, score, freq, length)}`,
    );
  }

  /** Returns what explains a score: all that the script saw. */
  lines(counts: ScoredCounts, freq: number, length: number): readonly ScoreLine[] {
    return [
      [Math.fround(this.#frameOf(counts).weight), 'float', 'weight'],
      [counts.boost, 'float', 'query.boost'],
      [counts.docCount, 'whole', 'field.docCount'],
      [counts.sumDocFreq, 'whole', 'field.sumDocFreq'],
      [counts.sumTotalTermFreq, 'whole', 'field.sumTotalTermFreq'],
      [counts.docFreq, 'whole', 'term.docFreq'],
      [counts.totalTermFreq, 'whole', 'term.totalTermFreq'],
      [freq, 'float', 'doc.freq'],
      [length, 'whole', 'doc.length'],
    ];
  }

  /** Explains a score in a text of many lines. */
  explanation(counts: ScoredCounts, score: number, freq: number, length: number): string {
    const lines = this.lines(counts, freq, length).map(
      ([value, kind, text]) => `  ${kind === 'float' ? formatFloat(value) : value} = ${text}\n`,
    );
    return `${formatFloat(score)} = score from ${this.text} computed from:\n${lines.join('')}`;
  }

  #frameOf(counts: ScoredCounts): Frame {
    let frame = this.#frames.get(counts);
    if (frame === undefined) this.#frames.set(counts, (frame = this.#newFrame(counts)));
    return frame;
  }

  #newFrame({ boost, docCount, sumDocFreq, sumTotalTermFreq, docFreq, totalTermFreq }: ScoredCounts): Frame {
    const query = new ScoredQuery(boost);
    const field = new ScoredField(docCount, sumDocFreq, sumTotalTermFreq);
    const term = new ScoredTerm(docFreq, totalTermFreq);
    const weight = this.#weightScript === null ? 1 : (this.#weightScript.call([query, field, term]) as number);
    const doc = new ScoredDocument();
    return { weight, doc, values: [weight, query, field, term, doc] };
  }
}

function inlineOf(json: unknown): InlineScript {
  const script = readScript(json);
  if (isInline(script)) return script;
  throw errors.illegalArgument(`similarities have no stored scripts, but [script.id] is [${script.id}]`);
}

const shown = (script: InlineScript | null): string =>
  script === null
    ? 'null'
    : `Script{type=inline, lang='${script.lang}', idOrCode='${script.source}', options={}, params={}}`;

/** Counts by which a new similarity is tried. */
const SAMPLE: ScoredCounts = {
  boost: 2,
  docCount: 1100,
  sumDocFreq: 2000,
  sumTotalTermFreq: 3000,
  docFreq: 100,
  totalTermFreq: 130,
};

/**
 * Throws illegal_argument_exception, as 8.12, for a similarity whose scores are negative, fall with the frequency or
 * rise with the length, as far as samples show; and for scripts that do not compile, or fail on samples.
 */
export function checkSimilarityScripts(scripts: SimilarityScripts): void {
  const similarity = new ScriptedSimilarity(scripts);
  const samples = Array.from({ length: 10 }, (_, i) => i + 1);
  const told = (freq: number, length: number): string =>
    whole(similarity.explanation(SAMPLE, similarity.score(SAMPLE, freq, length), freq, length));
  try {
    for (const freq of samples) similarity.score(SAMPLE, freq, 20);
  } catch (error) {
    const reason = String((error as { reason?: unknown }).reason);
    if (!reason.startsWith(NEGATIVE)) throw error;
    throw errors.illegalArgument(whole(reason.replace(NEGATIVE, 'Similarities should not return negative scores')));
  }
  for (const freq of samples.slice(1))
    if (similarity.score(SAMPLE, freq, 20) < similarity.score(SAMPLE, freq - 1, 20))
      throw errors.illegalArgument(
        'Similarity scores should not decrease when term frequency increases:\n' +
          `${told(freq - 1, 20)}\n${told(freq, 20)}`,
      );
  for (const length of samples.slice(1))
    if (similarity.score(SAMPLE, 1, length) > similarity.score(SAMPLE, 1, length - 1))
      throw errors.illegalArgument(
        'Similarity scores should not increase when norm increases:\n' + `${told(1, length - 1)}\n${told(1, length)}`,
      );
}

const NEGATIVE = 'Similarities must not produce negative scores, but got';

/** Frequencies of samples are whole numbers. */
const whole = (text: string): string => text.replace(/(\d+)\.0 = doc\.freq/g, '$1 = doc.freq');
