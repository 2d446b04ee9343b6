import { stripHtml } from '@shoal/analysis';
import { resultInTurns } from '../steps-in-turns.js';
import { stringProcessor } from '../string-processor.js';

/** Takes the tags of HTML out of texts and decodes entities. */
export const htmlStrip = stringProcessor('html_strip', () => (text, { pause }) => {
  const html = stripHtml(text);
  return resultInTurns(html.step, pause, html.text);
});
