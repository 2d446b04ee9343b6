import { errors } from '@shoal/errors';
import { compile, type ScriptSource } from '@shoal/script';
import type { ClusterAccess } from '../../cluster-access.js';
import { encodeUtf8 } from '../../json-bytes.js';
import { inlineScript } from '../../scripts/inline-script.js';
import type { SearchRequest } from '../parse/search-request.js';
import { checkTemplate, type TemplateRequest } from './template-request.js';

const NAMED: ScriptSource = { lang: 'mustache', source: null, id: null, params: {}, options: {} };

/**
 * Renders a template with its parameters. Throws script_exception for a malformed template,
 * resource_not_found_exception for the id of none.
 */
export function renderTemplate(cluster: Pick<ClusterAccess, 'state'>, request: TemplateRequest): string {
  checkTemplate(request);
  const { kind, text } = request.template!;
  const script = inlineScript(cluster.state(), { ...NAMED, [kind === 'id' ? 'id' : 'source']: text });
  return String(compile(script, 'template').call([request.params]));
}

/** Returns the search of a rendered template. Parameters of the call do not replace members of the body, as in 8.12. */
export function templatedSearch(
  cluster: Pick<ClusterAccess, 'state'>,
  search: SearchRequest,
  template: TemplateRequest,
): SearchRequest {
  const text = renderTemplate(cluster, template);
  if (text.trim() === '')
    throw errors.parsing('Expected [START_OBJECT] but found [null]', { meta: { line: 1, col: 0 } });
  const overrides: Record<string, unknown> = {};
  for (const key of ['explain', 'profile'] as const)
    if (template[key] || text.includes(key)) overrides[key] = template[key];
  return { ...search, body: encodeUtf8(text), json: undefined, overrides };
}
