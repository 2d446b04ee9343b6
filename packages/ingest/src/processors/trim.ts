import { stringProcessor } from '../string-processor.js';

/** Takes white space from both ends of texts: characters up to the space, as Java's `trim`. */
export const trim = stringProcessor('trim', () => (text) => {
  let begin = 0;
  let end = text.length;
  while (begin < end && text.charCodeAt(begin) <= 32) begin++;
  while (end > begin && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(begin, end);
});
