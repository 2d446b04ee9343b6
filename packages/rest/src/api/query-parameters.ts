import { errors } from '@shoal/errors';
import type { RestRequest } from '../routing/route.js';

/** Parameters of calls with a query string in `q`. */
export const QUERY_PARAMETERS: readonly string[] = [
  'q',
  'df',
  'analyzer',
  'analyze_wildcard',
  'default_operator',
  'lenient',
];

function defaultOperator(text: string): string {
  const name = text.toUpperCase();
  if (name === 'AND' || name === 'OR') return name;
  throw errors.illegalArgument(`No enum constant org.elasticsearch.index.query.Operator.${name}`);
}

/** The `query_string` query of `q` and related parameters; null without `q`. */
export function queryParameter(request: RestRequest): Record<string, unknown> | null {
  const { params } = request;
  const query = params.text('q');
  const df = params.text('df');
  const analyzer = params.text('analyzer');
  const operator = params.text('default_operator');
  const lenient = params.optionalBoolean('lenient');
  const analyzeWildcard = params.boolean('analyze_wildcard', false);
  const checkedOperator = operator === null ? null : defaultOperator(operator);
  if (query === null) return null;
  return {
    query_string: {
      query,
      ...(df === null ? {} : { default_field: df }),
      ...(analyzer === null ? {} : { analyzer }),
      ...(checkedOperator === null ? {} : { default_operator: checkedOperator }),
      ...(lenient === null ? {} : { lenient }),
      ...(analyzeWildcard ? { analyze_wildcard: true } : {}),
    },
  };
}
