import { foldService, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

/** State of the highlighter at the begin of a line. */
interface HighlightState {
  inTriple: boolean;
  inComment: boolean;
}

const METHOD = /^(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH)(?=\s|$)/i;

/** Colours of requests and answers; what is right or wrong is told by `problemsOf`. */
const language = StreamLanguage.define<HighlightState>({
  name: 'console',
  startState: () => ({ inTriple: false, inComment: false }),
  token(stream, state) {
    if (state.inTriple || state.inComment) {
      const end = state.inTriple ? '"""' : '*/';
      const kind = state.inTriple ? 'string' : 'comment';
      if (stream.skipTo(end)) {
        stream.match(end);
        state.inTriple = state.inComment = false;
      } else stream.skipToEnd();
      return kind;
    }
    if (stream.sol() && stream.match(METHOD)) return 'keyword';
    if (stream.eatSpace()) return null;
    if (stream.match(/^(?:#|\/\/)/)) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.inComment = true;
      return 'comment';
    }
    if (stream.match('"""')) {
      state.inTriple = true;
      return 'string';
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return stream.match(/^\s*:/, false) ? 'propertyName' : 'string';
    if (stream.match(/^\$\{[^}]*\}/)) return 'variableName';
    if (stream.match(/^-?\d[\w.+-]*/) || stream.match(/^(?:true|false|null)\b/)) return 'number';
    stream.next();
    return null;
  },
});

/** Lines that are indented deeper than a line that ends with a bracket fold into it. */
const foldByIndent = foldService.of((state, from, to) => {
  const line = state.doc.lineAt(from);
  if (!/[{[]\s*$/.test(line.text)) return null;
  const indent = /^\s*/.exec(line.text)![0].length;
  for (let number = line.number + 1; number <= state.doc.lines; number++) {
    const next = state.doc.line(number);
    if (/^\s*/.exec(next.text)![0].length <= indent)
      return next.from > to + 1 && /^\s*[}\]]/.test(next.text) ? { from: to, to: next.from - 1 } : null;
  }
  return null;
});

const style = HighlightStyle.define([
  { tag: tags.keyword, class: 'code-keyword' },
  { tag: tags.comment, class: 'code-comment' },
  { tag: tags.string, class: 'code-string' },
  { tag: tags.propertyName, class: 'code-key' },
  { tag: tags.variableName, class: 'code-variable' },
  { tag: tags.number, class: 'code-number' },
]);

/** Highlighting and folding of requests and answers. */
export const consoleLanguage: Extension = [language, syntaxHighlighting(style), foldByIndent];
