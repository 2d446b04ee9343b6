import { ScriptObject } from './values.js';

const OUTER = 'org.elasticsearch.index.similarity.ScriptedSimilarity';

/** Classes in Java of what scripts of similarities see, by the names of their variables. */
export const SCORED_CLASSES = {
  query: `${OUTER}.Query`,
  field: `${OUTER}.Field`,
  term: `${OUTER}.Term`,
  doc: `${OUTER}.Doc`,
};

/** `query`: the boost of the query that is scored. */
export class ScoredQuery extends ScriptObject {
  readonly javaClass = SCORED_CLASSES.query;
  readonly boost: number;

  constructor(boost: number) {
    super();
    this.boost = boost;
  }
}

/** `field`: counts of the field over a shard, or over all shards. */
export class ScoredField extends ScriptObject {
  readonly javaClass = SCORED_CLASSES.field;
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;

  constructor(docCount: number, sumDocFreq: number, sumTotalTermFreq: number) {
    super();
    this.docCount = docCount;
    this.sumDocFreq = sumDocFreq;
    this.sumTotalTermFreq = sumTotalTermFreq;
  }
}

/** `term`: counts of the term, likewise. */
export class ScoredTerm extends ScriptObject {
  readonly javaClass = SCORED_CLASSES.term;
  readonly docFreq: number;
  readonly totalTermFreq: number;

  constructor(docFreq: number, totalTermFreq: number) {
    super();
    this.docFreq = docFreq;
    this.totalTermFreq = totalTermFreq;
  }
}

/** `doc`: the field and the term in the document that is scored. One object serves all documents. */
export class ScoredDocument extends ScriptObject {
  readonly javaClass = SCORED_CLASSES.doc;
  /** Length of the field, as its norm tells it. */
  length = 0;
  /** Occurrences of the term, a float. */
  freq = 0;
}
