import { EXPLANATION_CLASS, type ScoreExplanation } from '../../runtime/score-explanation.js';
import type { AllowTable } from './class-row.js';

/** What scripts of scores explain themselves with. */
export const EXPLANATIONS: AllowTable = [
  {
    name: EXPLANATION_CLASS,
    methods: {
      'void set(String)': (explanation: ScoreExplanation, text: string | null) => {
        explanation.text = text;
      },
    },
  },
];
