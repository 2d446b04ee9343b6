import { errors } from '@shoal/errors';
import { isPlainObject, type Json } from '@shoal/json';
import {
  type AliasMetadata,
  aliasesToJson,
  parseAliases,
  flattenIndexSettings,
  type FlatSettings,
  nestedSettings,
} from '@shoal/state';

/** Body of `template` in composable and component templates. */
export interface TemplateBody {
  /** Flat settings. */
  readonly settings?: FlatSettings;
  readonly mappings?: Readonly<Record<string, unknown>>;
  readonly aliases?: Readonly<Record<string, AliasMetadata>>;
  readonly lifecycle?: Readonly<Record<string, unknown>>;
}

/** A component template: entry of the section `componentTemplates`. */
export interface ComponentTemplate {
  readonly template: TemplateBody;
  readonly version?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly deprecated?: boolean;
}

/** A composable template: entry of the section `indexTemplates`. */
export interface IndexTemplate {
  readonly indexPatterns: readonly string[];
  readonly template?: TemplateBody;
  readonly composedOf?: readonly string[];
  readonly ignoreMissing?: readonly string[];
  readonly priority?: number;
  readonly version?: number;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly dataStream?: { readonly hidden: boolean; readonly allowCustomRouting: boolean };
  readonly allowAutoCreate?: boolean;
  readonly deprecated?: boolean;
}

/** A legacy template: entry of the section `legacyTemplates`. */
export interface LegacyTemplate {
  readonly order: number;
  readonly version?: number;
  readonly indexPatterns: readonly string[];
  readonly settings: FlatSettings;
  readonly mappings: Readonly<Record<string, unknown>>;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
}

function refuseUnknown(json: Json, parser: string, known: readonly string[]): void {
  const key = Object.keys(json).find((name) => !known.includes(name));
  if (key !== undefined)
    throw errors.xContentParse(`[${parser}] unknown field [${key}]`, { location: { container: json, key, at: 'key' } });
}

function object(json: Json, key: string, parser: string): Json | undefined {
  const value = json[key];
  if (value === undefined || value === null) return undefined;
  if (!isPlainObject(value))
    throw errors.xContentParse(`[${parser}] ${key} doesn't support values of type: ${typeOf(value)}`, {
      location: { container: json, key },
    });
  return value;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'START_ARRAY';
  if (typeof value === 'string') return 'VALUE_STRING';
  return typeof value === 'boolean' ? 'VALUE_BOOLEAN' : 'VALUE_NUMBER';
}

function optionalNumber(json: Json, key: string, parser: string): number | undefined {
  const value = json[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean' && /^-?\d+$/.test(String(value))) return Number(value);
  const cause = errors.illegalArgument(`For input string: "${String(value)}"`);
  throw errors.xContentParse(`[${parser}] failed to parse field [${key}]`, {
    cause,
    location: { container: json, key },
  });
}

function priorityOf(json: Json): number | undefined {
  const priority = optionalNumber(json, 'priority', 'index_template');
  if (priority !== undefined && priority < 0)
    throw errors.actionRequestValidation('Validation Failed: 1: index template priority must be >= 0;');
  return priority;
}

function legacyNumber(json: Json, key: string): number | undefined {
  const value = json[key];
  if (value === undefined || value === null) return undefined;
  if (!/^-?\d+$/.test(String(value))) throw errors.numberFormat(`For input string: "${String(value)}"`);
  return Number(value);
}

/** A version is an integer of 32 bits, not a text of one. */
function legacyVersion(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value === (value | 0)) return value;
  throw errors.illegalArgument('Malformed [version] value, should be an integer');
}

function strings(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

/** Returns a copy without undefined members, for types with optional members. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

const BODY_KEYS = ['settings', 'mappings', 'aliases', 'lifecycle'];

/** Parses the body of a template. `parser` names the object that contains it in errors. */
export function parseTemplateBody(json: Json, parser: string): TemplateBody {
  const unknown = Object.keys(json).find((name) => !BODY_KEYS.includes(name));
  if (unknown !== undefined) {
    const cause = errors.xContentParse(`[template] unknown field [${unknown}]`, {
      location: { container: json, key: unknown, at: 'key' },
    });
    throw errors.xContentParse(`[${parser}] failed to parse field [template]`, {
      cause,
      location: { container: json, key: unknown },
    });
  }
  const settings = object(json, 'settings', 'template');
  return defined({
    settings: settings && flattenIndexSettings(settings),
    mappings: object(json, 'mappings', 'template'),
    aliases: json['aliases'] === undefined ? undefined : parseAliases(json['aliases']),
    lifecycle: object(json, 'lifecycle', 'template'),
  }) as TemplateBody;
}

/** Parses the body of a component template. */
export function parseComponentTemplate(json: Json): ComponentTemplate {
  refuseUnknown(json, 'component_template', ['template', 'version', '_meta', 'deprecated']);
  const template = object(json, 'template', 'component_template');
  if (!template) throw errors.illegalArgument('Required [template]');
  return defined({
    template: parseTemplateBody(template, 'component_template'),
    version: optionalNumber(json, 'version', 'component_template'),
    meta: object(json, '_meta', 'component_template'),
    deprecated: json['deprecated'] as boolean | undefined,
  }) as ComponentTemplate;
}

const INDEX_TEMPLATE_KEYS = [
  'index_patterns',
  'template',
  'composed_of',
  'ignore_missing_component_templates',
  'priority',
  'version',
  '_meta',
  'data_stream',
  'allow_auto_create',
  'deprecated',
];

function parseDataStreamOptions(json: Json | undefined): IndexTemplate['dataStream'] | undefined {
  if (!json) return undefined;
  refuseUnknown(json, 'data_stream_template', ['hidden', 'allow_custom_routing', 'index_mode', 'failure_store']);
  return { hidden: json['hidden'] === true, allowCustomRouting: json['allow_custom_routing'] === true };
}

/** Parses the body of a composable template. */
export function parseIndexTemplate(json: Json): IndexTemplate {
  refuseUnknown(json, 'index_template', INDEX_TEMPLATE_KEYS);
  const indexPatterns = strings(json['index_patterns']);
  if (!indexPatterns) throw errors.illegalArgument('Required [index_patterns]');
  if (indexPatterns.length === 0) throw errors.illegalArgument('There must be at least one pattern, zero given');
  const template = object(json, 'template', 'index_template');
  return defined({
    indexPatterns,
    template: template && parseTemplateBody(template, 'index_template'),
    composedOf: strings(json['composed_of']),
    ignoreMissing: strings(json['ignore_missing_component_templates']),
    priority: priorityOf(json),
    version: optionalNumber(json, 'version', 'index_template'),
    meta: object(json, '_meta', 'index_template'),
    dataStream: parseDataStreamOptions(object(json, 'data_stream', 'index_template')),
    allowAutoCreate: json['allow_auto_create'] as boolean | undefined,
    deprecated: json['deprecated'] as boolean | undefined,
  }) as IndexTemplate;
}

const LEGACY_KEYS = ['index_patterns', 'template', 'order', 'version', 'settings', 'mappings', 'aliases'];

/** Parses the body of a legacy template. `order`: the parameter, null if it is not given. */
export function parseLegacyTemplate(json: Json, order: number | null): LegacyTemplate {
  const key = Object.keys(json).find((name) => !LEGACY_KEYS.includes(name));
  if (key !== undefined) throw errors.parse(`unknown key [${key}] in the template `);
  const indexPatterns = strings(json['index_patterns']) ?? [];
  if (indexPatterns.length === 0)
    throw errors.actionRequestValidation('Validation Failed: 1: index patterns are missing;');
  return defined({
    order: order ?? legacyNumber(json, 'order') ?? 0,
    version: legacyVersion(json['version']),
    indexPatterns,
    settings: flattenIndexSettings(object(json, 'settings', 'template') ?? {}),
    mappings: object(json, 'mappings', 'template') ?? {},
    aliases: parseAliases(json['aliases']),
  }) as LegacyTemplate;
}

type SettingsForm = (flat: FlatSettings) => Json;

/** Renders the `template` of a composable or component template. */
export function templateBodyToJson(body: TemplateBody, settingsForm: SettingsForm = nestedSettings): Json {
  return defined({
    settings: body.settings && settingsForm(body.settings),
    mappings: body.mappings,
    aliases: body.aliases && aliasesToJson(body.aliases),
    lifecycle: body.lifecycle,
  });
}

/** Renders a component template. */
export function componentTemplateToJson(
  template: ComponentTemplate,
  settingsForm: SettingsForm = nestedSettings,
): Json {
  return defined({
    template: templateBodyToJson(template.template, settingsForm),
    version: template.version,
    _meta: template.meta,
    deprecated: template.deprecated,
  });
}

/** Renders a composable template. */
export function indexTemplateToJson(template: IndexTemplate, settingsForm: SettingsForm = nestedSettings): Json {
  const { dataStream } = template;
  return defined({
    index_patterns: template.indexPatterns,
    template: template.template && templateBodyToJson(template.template, settingsForm),
    composed_of: template.composedOf,
    priority: template.priority,
    version: template.version,
    _meta: template.meta,
    data_stream: dataStream && { hidden: dataStream.hidden, allow_custom_routing: dataStream.allowCustomRouting },
    allow_auto_create: template.allowAutoCreate,
    ignore_missing_component_templates: template.ignoreMissing,
    deprecated: template.deprecated,
  });
}

/** Renders a legacy template. */
export function legacyTemplateToJson(template: LegacyTemplate, settingsForm: SettingsForm = nestedSettings): Json {
  return defined({
    order: template.order,
    version: template.version,
    index_patterns: template.indexPatterns,
    settings: settingsForm(template.settings),
    mappings: template.mappings,
    aliases: aliasesToJson(template.aliases),
  });
}
