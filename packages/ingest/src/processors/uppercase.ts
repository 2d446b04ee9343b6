import { stringProcessor } from '../string-processor.js';

/** Writes texts in capital letters. */
export const uppercase = stringProcessor('uppercase', () => (text) => text.toUpperCase());
