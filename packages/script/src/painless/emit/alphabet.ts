/**
 * Tokens that generated text may have: reserved words, names of the compiler's own, members of the helpers and a few of
 * Math, numbers, operators. No string, no template, no other name.
 */
const TOKEN = new RegExp(
  [
    /\s+/,
    /(?:function|return|const|let|if|else|for|of|do|while|try|catch|finally|throw|break|continue|true|false|null)\b/,
    /h\.([a-zA-Z]+)\b/,
    /Math\.(?:imul|fround)\b/,
    /(?:[vtcfx]\d+|[nk])\b/,
    /\d+n\b/,
    /\d+(?:\.\d+)?(?:e[+-]?\d+)?/,
    /=>|\?\?|===|!==|[<>]=?|<<|>>>?|&&|\|\||--|[-+*/%!~&|^?:;,(){}=[\]]/,
  ]
    .map((part) => part.source)
    .join('|'),
  'y',
);

/** Whether a bracket may follow: it opens a list behind these, and an element of the constants behind `k`. */
const BEFORE_LIST = new Set(['(', ',', '=', 'k']);

/**
 * Checks that generated text consists of these tokens only, and names no helper that there is not. A last guard: the
 * emitter writes nothing else. Throws where it has.
 */
export function checkAlphabet(text: string, helpers: ReadonlySet<string>): void {
  let previous = '';
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw new Error(`generated text has an unknown token at [${text.slice(at, at + 20)}]`);
    const [token, helper] = match;
    if (helper !== undefined && !helpers.has(helper))
      throw new Error(`generated text names the unknown helper [${helper}]`);
    if (token === '[' && !BEFORE_LIST.has(previous)) throw new Error('generated text looks up a member');
    if (token.trim() !== '') previous = token;
  }
}
