/** A method as `return type name(type name, …)`. */
type Signature = string;

/** Methods of each script context, as `GET /_script_context` lists them. */
const CONTEXTS: readonly (readonly [context: string, ...methods: Signature[]])[] = [
  ['aggregation_selector', 'boolean execute()', 'java.util.Map getParams()'],
  [
    'aggs',
    'java.lang.Object execute()',
    'java.util.Map getDoc()',
    'java.util.Map getParams()',
    'java.lang.Number get_score()',
    'java.lang.Object get_value()',
  ],
  ['aggs_combine', 'java.lang.Object execute()', 'java.util.Map getParams()', 'java.util.Map getState()'],
  ['aggs_init', 'void execute()', 'java.util.Map getParams()', 'java.lang.Object getState()'],
  [
    'aggs_map',
    'void execute()',
    'java.util.Map getDoc()',
    'java.util.Map getParams()',
    'java.util.Map getState()',
    'double get_score()',
  ],
  ['aggs_reduce', 'java.lang.Object execute()', 'java.util.Map getParams()', 'java.util.List getStates()'],
  ['analysis', 'boolean execute(org.elasticsearch.analysis.common.AnalysisPredicateScript$Token token)'],
  ['boolean_field', 'void execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()'],
  ['bucket_aggregation', 'java.lang.Number execute()', 'java.util.Map getParams()'],
  [
    'bytesref_sort',
    'java.lang.Object execute()',
    'java.util.Map getDoc()',
    'java.util.Map getParams()',
    'double get_score()',
  ],
  [
    'composite_field',
    'void execute()',
    'java.util.Map getDoc()',
    'java.util.Map getFieldValues()',
    'java.util.Map getParams()',
  ],
  ['date_field', 'void execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()'],
  ['double_field', 'void execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()'],
  ['double_values', 'double execute()'],
  ['field', 'java.lang.Object execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()'],
  ['filter', 'boolean execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()'],
  ['geo_point_field', 'void execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()'],
  ['geometry_field', 'void execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()'],
  ['ingest', 'void execute()', 'java.util.Map getCtx()', 'java.util.Map getParams()'],
  ['ingest_template', 'java.lang.String execute()', 'java.util.Map getParams()'],
  ['interval', 'boolean execute(org.elasticsearch.index.query.IntervalFilterScript$Interval interval)'],
  ['ip_field', 'void execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()'],
  [
    'keyword_field',
    'void execute()',
    'java.util.Map getDoc()',
    'java.util.Map getParams()',
    'java.util.List getValues()',
  ],
  ['long_field', 'void execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()'],
  ['moving-function', 'double execute(java.util.Map params, double[] values)'],
  ['number_sort', 'double execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()', 'double get_score()'],
  ['painless_test', 'java.lang.Object execute()', 'java.util.Map getParams()'],
  ['processor_conditional', 'boolean execute(java.util.Map ctx)', 'java.util.Map getParams()'],
  ['reindex', 'void execute()', 'java.util.Map getCtx()', 'java.util.Map getParams()'],
  [
    'score',
    'double execute(org.elasticsearch.script.ScoreScript$ExplanationHolder explanation)',
    'java.util.Map getDoc()',
    'java.util.Map getParams()',
    'double get_score()',
  ],
  ['script_heuristic', 'double execute(java.util.Map params)'],
  [
    'similarity',
    'double execute(double weight, org.elasticsearch.index.similarity.ScriptedSimilarity$Query query, ' +
      'org.elasticsearch.index.similarity.ScriptedSimilarity$Field field, ' +
      'org.elasticsearch.index.similarity.ScriptedSimilarity$Term term, ' +
      'org.elasticsearch.index.similarity.ScriptedSimilarity$Doc doc)',
  ],
  [
    'similarity_weight',
    'double execute(org.elasticsearch.index.similarity.ScriptedSimilarity$Query query, ' +
      'org.elasticsearch.index.similarity.ScriptedSimilarity$Field field, ' +
      'org.elasticsearch.index.similarity.ScriptedSimilarity$Term term)',
  ],
  [
    'string_sort',
    'java.lang.String execute()',
    'java.util.Map getDoc()',
    'java.util.Map getParams()',
    'double get_score()',
  ],
  ['template', 'java.lang.String execute()', 'java.util.Map getParams()'],
  ['terms_set', 'java.lang.Number execute()', 'java.util.Map getDoc()', 'java.util.Map getParams()'],
  ['update', 'void execute()', 'java.util.Map getCtx()', 'java.util.Map getParams()'],
  ['update_by_query', 'void execute()', 'java.util.Map getCtx()', 'java.util.Map getParams()'],
];

function method(signature: Signature): Record<string, unknown> {
  const [, returnType = '', name = '', list = ''] = /^(\S+) (\w+)\((.*)\)$/.exec(signature) ?? [];
  const params =
    list === ''
      ? []
      : list
          .split(', ')
          .map((part) => ({ type: part.slice(0, part.lastIndexOf(' ')), name: part.slice(part.lastIndexOf(' ') + 1) }));
  return { name, return_type: returnType, params };
}

/** The answer of `GET /_script_context`. */
export function scriptContexts(): unknown {
  return { contexts: CONTEXTS.map(([name, ...methods]) => ({ name, methods: methods.map(method) })) };
}

const NAMES = new Set(CONTEXTS.map(([name]) => name));

/** Whether a context of that name exists. */
export const isScriptContext = (name: string): boolean => NAMES.has(name);
