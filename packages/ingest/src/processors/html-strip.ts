import { stripHtml } from '@shoal/analysis';
import { stringProcessor } from '../string-processor.js';

/** Takes the tags of HTML out of texts and decodes entities. */
export const htmlStrip = stringProcessor('html_strip', () => (text) => stripHtml(text));
