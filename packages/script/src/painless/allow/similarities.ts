import {
  SCORED_CLASSES,
  type ScoredDocument,
  type ScoredField,
  type ScoredQuery,
  type ScoredTerm,
} from '../../runtime/scored.js';
import type { AllowTable } from './class-row.js';

/** What scripts of similarities see. */
export const SIMILARITIES: AllowTable = [
  { name: SCORED_CLASSES.query, methods: { 'float getBoost()': ({ boost }: ScoredQuery) => boost } },
  {
    name: SCORED_CLASSES.field,
    methods: {
      'long getDocCount()': ({ docCount }: ScoredField) => docCount,
      'long getSumDocFreq()': ({ sumDocFreq }: ScoredField) => sumDocFreq,
      'long getSumTotalTermFreq()': ({ sumTotalTermFreq }: ScoredField) => sumTotalTermFreq,
    },
  },
  {
    name: SCORED_CLASSES.term,
    methods: {
      'long getDocFreq()': ({ docFreq }: ScoredTerm) => docFreq,
      'long getTotalTermFreq()': ({ totalTermFreq }: ScoredTerm) => totalTermFreq,
    },
  },
  {
    name: SCORED_CLASSES.doc,
    methods: {
      'int getLength()': ({ length }: ScoredDocument) => length,
      'float getFreq()': ({ freq }: ScoredDocument) => freq,
    },
  },
];
