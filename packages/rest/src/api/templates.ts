import {
  componentTemplates,
  componentTemplateToJson,
  indexTemplates,
  indexTemplateToJson,
  legacyTemplates,
  legacyTemplateToJson,
  parseComponentTemplate,
  parseIndexTemplate,
  readLegacyTemplate,
  simulateIndex,
  simulateTemplate,
} from '@shoal/cluster';
import { simulationContext } from '../admin/alias-filters.js';
import { selectNames } from '@shoal/values';
import { errors, toApiError } from '@shoal/errors';
import { checkAliasFilter } from '@shoal/coordinator';
import { newUuid } from '@shoal/doors';
import { objectBody, pathList, READ_PARAMETERS, runTask } from '../admin/index-options.js';
import { settingsForm } from '../admin/settings-form.js';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import type { Services } from '../services.js';
import { warningHeader } from '../admin/warning-header.js';

const ok = (json: unknown): RestResponse => ({ status: 200, json });

/** Entries whose names match; all if there are no names. */
function select<T>(entries: Readonly<Record<string, T>>, names: readonly string[]): [string, T][] {
  const chosen = new Set(names.length === 0 ? Object.keys(entries) : selectNames(Object.keys(entries), names));
  return Object.entries(entries).filter(([name]) => chosen.has(name));
}

function missing(names: readonly string[], found: readonly [string, unknown][]): boolean {
  return found.length === 0 && names.some((name) => !name.includes('*'));
}

/** 404 for names and patterns that match nothing, also for `*`; 200 for all of none. */
const statusOf = (names: readonly string[], found: readonly [string, unknown][]): number =>
  names.length > 0 && found.length === 0 ? 404 : 200;

/** Throws if a filter of the aliases of a composable template is no query; the fields are known only at creation. */
function checkFilters(name: string, { template }: ReturnType<typeof parseIndexTemplate>): void {
  try {
    for (const [alias, { filter }] of Object.entries(template?.aliases ?? {}))
      if (filter !== undefined) checkAliasFilter(alias, filter, null);
  } catch (error) {
    const cause = toApiError(error);
    throw errors.illegalArgument(`composable template [${name}] template after composition is invalid`, { cause });
  }
}

/** Throws for a body that is no composable template. */
function checkIndexTemplate(request: RestRequest): void {
  if (request.hasBody) parseIndexTemplate(objectBody(request));
}

const checkComponentTemplate = (request: RestRequest): void => void parseComponentTemplate(objectBody(request));
const checkLegacyTemplate = (request: RestRequest): void => void readLegacyTemplate(objectBody(request), null);

const BODY_CHECKS: Readonly<Record<string, (request: RestRequest) => void>> = {
  index_template: checkIndexTemplate,
  component_template: checkComponentTemplate,
  template: checkLegacyTemplate,
};

function put(task: string) {
  return async (request: RestRequest, services: Services): Promise<RestResponse> => {
    const body = objectBody(request);
    if (task === 'put-index-template') checkFilters(request.pathParams['name'] ?? '', parseIndexTemplate(body));
    return ok(
      await runTask(request, services, task, {
        name: request.pathParams['name'],
        create: request.params.boolean('create', false),
        body,
      }),
    );
  };
}

async function putLegacy(request: RestRequest, services: Services): Promise<RestResponse> {
  const order = request.params.has('order') ? request.params.integer('order', 0) : null;
  const body = {
    name: request.pathParams['name'],
    create: request.params.boolean('create', false),
    order,
    body: objectBody(request),
  };
  const { warning, ...json } = await runTask(request, services, 'put-legacy-template', body);
  return { status: 200, json, ...(typeof warning === 'string' ? { headers: warningHeader(warning) } : {}) };
}

function remove(task: string) {
  return async (request: RestRequest, services: Services): Promise<RestResponse> =>
    ok(await runTask(request, services, task, { names: pathList(request, 'name') }));
}

/** Names of composable templates are not listed, other than those of the other two kinds. */
function oneName(request: RestRequest): string[] {
  const name = request.pathParams['name'] ?? '';
  if (name.includes(',')) throw errors.illegalArgument("template name may not contain ','");
  return pathList(request, 'name');
}

function getIndexTemplates(request: RestRequest, services: Services): RestResponse {
  const names = oneName(request);
  const found = select(indexTemplates(services.cluster.state()), names);
  if (missing(names, found)) throw errors.resourceNotFound(`index template matching [${names.join(',')}] not found`);
  const form = settingsForm(request);
  const json = {
    index_templates: found.map(([name, template]) => ({ name, index_template: indexTemplateToJson(template, form) })),
  };
  return { status: statusOf(names, found), json };
}

function getComponentTemplates(request: RestRequest, services: Services): RestResponse {
  const names = pathList(request, 'name');
  const found = select(componentTemplates(services.cluster.state()), names);
  if (missing(names, found))
    throw errors.resourceNotFound(`component template matching [${names.join(',')}] not found`);
  const form = settingsForm(request);
  const json = {
    component_templates: found.map(([name, template]) => ({
      name,
      component_template: componentTemplateToJson(template, form),
    })),
  };
  return { status: statusOf(names, found), json };
}

function getLegacyTemplates(request: RestRequest, services: Services): RestResponse {
  const names = pathList(request, 'name');
  const found = select(legacyTemplates(services.cluster.state()), names);
  const form = settingsForm(request);
  const json = Object.fromEntries(found.map(([name, template]) => [name, legacyTemplateToJson(template, form)]));
  return { status: statusOf(names, found), json };
}

function existence(call: string, entries: (services: Services) => Readonly<Record<string, unknown>>) {
  const names = call === 'index_template' ? oneName : (request: RestRequest) => pathList(request, 'name');
  return (request: RestRequest, services: Services): RestResponse => ({
    status: select(entries(services), names(request)).length > 0 ? 200 : 404,
    empty: true,
  });
}

function given(request: RestRequest, services: Services): ReturnType<typeof parseIndexTemplate> | null {
  if (!request.hasBody) return null;
  const template = parseIndexTemplate(objectBody(request));
  checkFilters(`simulate_template_${newUuid(services.random).toLowerCase()}`, template);
  return template;
}

function simulateOne(request: RestRequest, services: Services): RestResponse {
  return ok(
    simulateIndex(
      services.cluster.state(),
      request.pathParams['name'] ?? '',
      given(request, services),
      simulationContext(services),
    ),
  );
}

function simulate(request: RestRequest, services: Services): RestResponse {
  const name = request.pathParams['name'] ?? null;
  const template = given(request, services);
  if (name === null && !template)
    throw errors.actionRequestValidation(
      'Validation Failed: 1: either index name or index template body must be specified for simulation;',
    );
  return ok(simulateTemplate(services.cluster.state(), name, template, simulationContext(services)));
}

const GET = [...READ_PARAMETERS, 'flat_settings', 'include_defaults'];
const CHANGE = ['master_timeout'];
const PUT = [...CHANGE, 'create', 'cause'];

interface Family {
  readonly path: string;
  readonly call: string;
  readonly task: string;
  readonly get: Route<Services>['handle'];
  readonly entries: (services: Services) => Readonly<Record<string, unknown>>;
}

const FAMILIES: readonly Family[] = [
  {
    path: '/_index_template',
    call: 'index_template',
    task: 'index-template',
    get: getIndexTemplates,
    entries: ({ cluster }) => indexTemplates(cluster.state()),
  },
  {
    path: '/_component_template',
    call: 'component_template',
    task: 'component-template',
    get: getComponentTemplates,
    entries: ({ cluster }) => componentTemplates(cluster.state()),
  },
  {
    path: '/_template',
    call: 'template',
    task: 'legacy-template',
    get: getLegacyTemplates,
    entries: ({ cluster }) => legacyTemplates(cluster.state()),
  },
];

/** Actions of component templates and index templates have different prefixes. */
function actionGroup(call: string): string {
  return call === 'component_template' ? `cluster:admin/${call}` : `indices:admin/${call}`;
}

function familyRoutes({ path, call, task, get, entries }: Family): Route<Services>[] {
  const isLegacy = call === 'template';
  const group = call === 'component_template' ? 'cluster' : 'indices';
  const named = `${path}/{name}`;
  return [
    {
      methods: ['GET'],
      path,
      name: `${group}.get_${call}`,
      body: 'none',
      privilege: `${actionGroup(call)}/get`,
      parameters: GET,
      handle: get,
    },
    {
      methods: ['GET'],
      path: named,
      name: `${group}.get_${call}`,
      body: 'none',
      privilege: `${actionGroup(call)}/get`,
      parameters: GET,
      handle: get,
    },
    {
      methods: ['HEAD'],
      path: named,
      name: `${group}.exists_${call}`,
      body: 'none',
      privilege: `${actionGroup(call)}/get`,
      parameters: GET,
      handle: existence(call, entries),
    },
    {
      methods: ['PUT', 'POST'],
      path: named,
      name: `${group}.put_${call}`,
      body: 'required',
      privilege: `${actionGroup(call)}/put`,
      parameters: isLegacy ? [...PUT, 'order'] : PUT,
      checkBody: BODY_CHECKS[call]!,
      handle: isLegacy ? putLegacy : put(`put-${task}`),
    },
    {
      methods: ['DELETE'],
      path: named,
      name: `${group}.delete_${call}`,
      body: 'none',
      privilege: `${actionGroup(call)}/delete`,
      parameters: CHANGE,
      handle: remove(`delete-${task}`),
    },
  ];
}

const SIMULATE = ['master_timeout', 'create', 'cause', 'include_defaults'];

export const routes: readonly Route<Services>[] = [
  ...FAMILIES.flatMap(familyRoutes),
  {
    methods: ['POST'],
    path: '/_index_template/_simulate_index/{name}',
    name: 'indices.simulate_index_template',
    body: 'optional',
    privilege: 'indices:admin/index_template/simulate_index',
    parameters: SIMULATE,
    checkBody: checkIndexTemplate,
    handle: simulateOne,
  },
  ...['/_index_template/_simulate', '/_index_template/_simulate/{name}'].map(
    (path): Route<Services> => ({
      methods: ['POST'],
      path,
      name: 'indices.simulate_template',
      body: 'optional',
      privilege: 'indices:admin/index_template/simulate',
      parameters: SIMULATE,
      checkBody: checkIndexTemplate,
      handle: simulate,
    }),
  ),
];
