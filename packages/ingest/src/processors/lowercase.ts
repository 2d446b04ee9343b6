import { stringProcessor } from '../string-processor.js';

/** Writes texts in small letters. */
export const lowercase = stringProcessor('lowercase', () => (text) => text.toLowerCase());
