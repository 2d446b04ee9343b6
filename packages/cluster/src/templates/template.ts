import { errors } from '@shoal/errors';
import {
  booleanField,
  checkedObjectField,
  isPlainObject,
  type Json,
  longField,
  objectField,
  readFields,
  stringify,
  stringsField,
} from '@shoal/json';
import {
  type AliasMetadata,
  aliasesToJson,
  parseAlias,
  parseAliases,
  flattenIndexSettings,
  type FlatSettings,
  nestedSettings,
} from '@shoal/state';
import { parseStreamLifecycle } from './stream-lifecycle.js';

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

function priorityOf(priority: number | undefined): number | undefined {
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

/** Returns a copy without undefined members, for types with optional members. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

const plainObject = objectField((value) => value);

/** Aliases of templates: what is no part of an alias is ignored. */
function parseTemplateAliases(json: Json): Record<string, AliasMetadata> {
  const aliases = Object.entries(json).flatMap(([alias, body]) =>
    isPlainObject(body) || body === null ? [[alias, parseAlias(alias, knownParts(body ?? {}))] as const] : [],
  );
  return Object.fromEntries(aliases);
}

function knownParts(json: Json): Json {
  return Object.fromEntries(
    Object.entries(json).filter(([key, value]) => {
      if (key === 'filter') return isPlainObject(value);
      if (key === 'is_write_index' || key === 'is_hidden') return typeof value === 'boolean';
      return /^(?:index_|search_)?routing$/.test(key) && ['string', 'number'].includes(typeof value);
    }),
  );
}

const BODY_FIELDS = {
  settings: objectField(flattenIndexSettings),
  mappings: checkedObjectField,
  aliases: objectField(parseTemplateAliases),
  lifecycle: objectField(parseStreamLifecycle),
};

function parseTemplateBody(json: Json): TemplateBody {
  const { settings, mappings, aliases, lifecycle } = readFields('template', json, BODY_FIELDS);
  return defined({ settings, mappings, aliases, lifecycle }) as TemplateBody;
}

const COMPONENT_FIELDS = {
  template: objectField(parseTemplateBody),
  version: longField,
  _meta: plainObject,
  deprecated: booleanField,
};

/** Parses the body of a component template. */
export function parseComponentTemplate(json: Json): ComponentTemplate {
  const { template, version, _meta, deprecated } = readFields('component_template', json, COMPONENT_FIELDS);
  if (!template) throw errors.illegalArgument('Required [template]');
  return defined({ template, version, meta: _meta, deprecated }) as ComponentTemplate;
}

const DATA_STREAM_FIELDS = { hidden: booleanField, allow_custom_routing: booleanField };

function parseDataStreamOptions(json: Json): NonNullable<IndexTemplate['dataStream']> {
  const { hidden, allow_custom_routing } = readFields('data_stream_template', json, DATA_STREAM_FIELDS);
  return { hidden: hidden ?? false, allowCustomRouting: allow_custom_routing ?? false };
}

const INDEX_TEMPLATE_FIELDS = {
  index_patterns: stringsField,
  template: objectField(parseTemplateBody),
  composed_of: stringsField,
  priority: longField,
  version: longField,
  _meta: plainObject,
  data_stream: objectField(parseDataStreamOptions),
  allow_auto_create: booleanField,
  ignore_missing_component_templates: stringsField,
  deprecated: booleanField,
};

/** Parses the body of a composable template. */
export function parseIndexTemplate(json: Json): IndexTemplate {
  const given = readFields('index_template', json, INDEX_TEMPLATE_FIELDS);
  const indexPatterns = given.index_patterns;
  if (!indexPatterns) throw errors.illegalArgument('Required [index_patterns]');
  return defined({
    indexPatterns,
    template: given.template,
    composedOf: given.composed_of,
    ignoreMissing: given.ignore_missing_component_templates,
    priority: priorityOf(given.priority),
    version: given.version,
    meta: given._meta,
    dataStream: given.data_stream,
    allowAutoCreate: given.allow_auto_create,
    deprecated: given.deprecated,
  }) as IndexTemplate;
}

const LEGACY_KEYS = ['index_patterns', 'order', 'version', 'settings', 'mappings', 'aliases'];

function legacySettings(value: unknown): FlatSettings {
  if (value === undefined) return {};
  if (isPlainObject(value)) return flattenIndexSettings(value);
  throw errors.illegalArgument('Malformed [settings] section, should include an inner object');
}

/**
 * Reads the body of a legacy template, of which patterns may be missing. `order`: the parameter, for a body without
 * one; null if it is not given. Keys are read in 8.12's order, whatever that of the body.
 */
export function readLegacyTemplate(json: Json, order: number | null): LegacyTemplate {
  const key = Object.keys(json).find((name) => !LEGACY_KEYS.includes(name));
  if (key !== undefined) throw errors.parse(`unknown key [${key}] in the template `);
  const settings = legacySettings(json['settings']);
  const mappings = legacyMappings(json['mappings']);
  const aliases = parseAliases(json['aliases']);
  const indexPatterns = legacyPatterns(json['index_patterns']);
  const version = legacyVersion(json['version']);
  return defined({
    order: legacyNumber(json, 'order') ?? order ?? 0,
    version,
    indexPatterns,
    settings,
    mappings,
    aliases,
  }) as LegacyTemplate;
}

/** As `readLegacyTemplate`, of a body that must have patterns. */
export function parseLegacyTemplate(json: Json, order: number | null): LegacyTemplate {
  const template = readLegacyTemplate(json, order);
  if (template.indexPatterns.length > 0) return template;
  throw errors.actionRequestValidation('Validation Failed: 1: index patterns are missing;');
}

function legacyPatterns(value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'object' ? stringify(one) : String(one)));
  throw errors.illegalArgument('Malformed [index_patterns] value, should be a string or a list of strings');
}

function legacyMappings(value: unknown): Json {
  if (value === undefined || value === null) return {};
  if (isPlainObject(value)) return value;
  throw errors.illegalArgument('Malformed [mappings] section, should include an inner object');
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
