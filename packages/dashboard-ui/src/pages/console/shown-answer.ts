/** The address that is asked: JSON is laid out, unless the request says how. */
export function withPretty(path: string): string {
  const query = path.split('?').slice(1).join('?');
  const isPlain = /^\/_cat(?:\/|\?|$)/.test(path) || /(?:^|&)(?:pretty|format)(?:=|&|$)/.test(query);
  return isPlain ? path : `${path}${path.includes('?') ? (query === '' ? '' : '&') : '?'}pretty`;
}

/** Longest line that is shown: the browser lays out longer ones for seconds. */
const LINE_CHARACTERS_MAX = 100_000;
/** Characters of all answers that are shown. */
const SHOWN_CHARACTERS_MAX = 20 * 1024 * 1024;

/** The part of a text that is shown, and whether that is less than all. */
export function shownPart(text: string): { readonly text: string; readonly isCut: boolean } {
  const first = text.slice(0, SHOWN_CHARACTERS_MAX);
  let shown = '';
  let copied = 0;
  for (let from = 0; from < first.length; ) {
    const newline = first.indexOf('\n', from);
    const to = newline === -1 ? first.length : newline;
    if (to - from > LINE_CHARACTERS_MAX) {
      shown += `${first.slice(copied, from + LINE_CHARACTERS_MAX)}…`;
      copied = to;
    }
    from = to + 1;
  }
  shown += first.slice(copied);
  return { text: shown, isCut: shown.length !== text.length };
}
