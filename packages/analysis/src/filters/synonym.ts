import { errors } from '@shoal/errors';
import type { BuildContext, FilterFactory, Parameters } from '../component.js';
import type { Token, TokenFilter, TokenStream } from '../token.js';
import { parseSynonyms, type SynonymEntry, type SynonymMap, TERM_SEPARATOR } from './synonym-rules.js';

interface Match {
  readonly entry: SynonymEntry;
  readonly length: number;
}

/** The longest rule whose input are the tokens from `from` on, at consecutive positions; null if there is none. */
function matchAt(tokens: readonly Token[], from: number, map: SynonymMap): Match | null {
  let key = '';
  let best: Match | null = null;
  for (let size = 1; size <= map.longest && from + size <= tokens.length; size++) {
    const token = tokens[from + size - 1]!;
    if (size > 1 && token.position !== tokens[from + size - 2]!.position + 1) break;
    key = size === 1 ? token.term : `${key}${TERM_SEPARATOR}${token.term}`;
    const entry = map.entries.get(key);
    if (entry) best = { entry, length: size };
  }
  return best;
}

function synonymToken(term: string, first: Token, last: Token, position: number, span: number): Token {
  return { term, start: first.start, end: last.end, position, span, type: 'SYNONYM', keyword: false };
}

/** Tokens of the outputs without a graph: term i of each output is at position `base` + i. */
function flatOutputs(entry: SynonymEntry, inputs: readonly Token[], base: number): Token[] {
  const first = inputs[0]!;
  const last = inputs.at(-1)!;
  const made: Token[] = entry.keepsOriginal ? inputs.map((token, i) => ({ ...token, position: base + i })) : [];
  for (const output of entry.outputs) {
    output.forEach((term, i) => {
      const beside =
        inputs[i] && inputs.length > 1 && output.length > 1 ? inputs[Math.min(i, inputs.length - 1)]! : null;
      made.push(synonymToken(term, beside ?? first, beside ?? last, base + i, 1));
    });
  }
  return made.sort((a, b) => a.position - b.position);
}

/** Tokens of the outputs as paths of a graph: each path has its own positions between its first and last token. */
function graphOutputs(
  entry: SynonymEntry,
  inputs: readonly Token[],
  base: number,
): { readonly tokens: Token[]; readonly positions: number } {
  const paths: (readonly (string | Token)[])[] = [...entry.outputs, ...(entry.keepsOriginal ? [inputs] : [])];
  const inner = paths.reduce((sum, path) => sum + path.length - 1, 0);
  const total = inner + 1;
  const made: Token[] = [];
  let next = base + 1;
  for (const path of paths) {
    const starts = path.map((_part, i) => (i === 0 ? base : next + i - 1));
    path.forEach((part, i) => {
      const position = starts[i]!;
      const span = (starts[i + 1] ?? base + total) - position;
      made.push(
        typeof part === 'string'
          ? synonymToken(part, inputs[0]!, inputs.at(-1)!, position, span)
          : { ...part, position, span },
      );
    });
    next += path.length - 1;
  }
  return { tokens: made.sort((a, b) => a.position - b.position), positions: total };
}

function applyRules({ tokens, endPosition }: TokenStream, map: SynonymMap, isGraph: boolean): TokenStream {
  const made: Token[] = [];
  let shift = 0;
  for (let i = 0; i < tokens.length; ) {
    const token = tokens[i]!;
    const match = token.keyword && map.entries.size === 0 ? null : matchAt(tokens, i, map);
    const base = token.position + shift;
    if (!match) {
      made.push({ ...token, position: base });
      i++;
      continue;
    }
    const inputs = tokens.slice(i, i + match.length);
    if (isGraph) {
      const { tokens: outputs, positions } = graphOutputs(match.entry, inputs, base);
      made.push(...outputs);
      shift += positions - match.length;
    } else {
      made.push(...flatOutputs(match.entry, inputs, base));
      const longest = Math.max(
        ...match.entry.outputs.map((output) => output.length),
        match.entry.keepsOriginal ? match.length : 0,
      );
      shift += longest - match.length;
    }
    i += match.length;
  }
  return { tokens: made, endPosition: endPosition + shift };
}

function rulesOf(parameters: Parameters, type: string): readonly string[] {
  if (parameters.has('synonyms_set'))
    throw errors.illegalArgument(`[synonyms_set] of a ${type} filter is not supported`);
  if (parameters.has('synonyms_path'))
    throw errors.illegalArgument(`[synonyms_path] of a ${type} filter is not supported: give [synonyms]`);
  const rules = parameters.list('synonyms');
  if (rules === null)
    throw errors.illegalArgument(
      `${type} requires either \`synonyms\`, \`synonyms_set\` or \`synonyms_path\` to be configured`,
    );
  return rules;
}

function create(name: string, parameters: Parameters, context: BuildContext, isGraph: boolean): TokenFilter {
  const rules = rulesOf(parameters, 'synonym');
  const map = parseSynonyms(
    rules,
    parameters.text('format', 'solr'),
    parameters.boolean('expand', true),
    parameters.boolean('lenient', false),
    context,
  );
  return { name, normalize: null, apply: (stream) => applyRules(stream, map, isGraph) };
}

/**
 * `synonym`: parameters `synonyms`, `format` (solr or wordnet), `expand`, `lenient`. The words of several synonyms
 * overlap at the same positions, without a graph.
 */
export const synonym: FilterFactory = {
  needsSettings: true,
  create: (name, parameters, context) => create(name, parameters, context, false),
};

/** `synonym_graph`: as `synonym`, but the output is a correct token graph; for search analyzers. */
export const synonymGraph: FilterFactory = {
  needsSettings: true,
  create: (name, parameters, context) => create(name, parameters, context, true),
};
