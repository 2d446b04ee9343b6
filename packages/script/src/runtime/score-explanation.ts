import { ScriptObject } from './values.js';

/** Class of explanations in Java. */
export const EXPLANATION_CLASS = 'org.elasticsearch.script.ScoreScript.ExplanationHolder';

/** `explanation`: what a script of a score says about it. Scripts have none where nobody asked for an explanation. */
export class ScoreExplanation extends ScriptObject {
  readonly javaClass = EXPLANATION_CLASS;
  /** The script's words; null if it has said nothing. */
  text: string | null = null;
}
