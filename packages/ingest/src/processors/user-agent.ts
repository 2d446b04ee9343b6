import { errors } from '@shoal/errors';
import type { ProcessorType } from '../processor-type.js';
import { andThen } from '../steps-in-turns.js';
import { deviceType } from '../user-agent/device-type.js';
import type { UserAgent, VersionedName } from '../user-agent/parser.js';

const PROPERTIES = ['NAME', 'OS', 'DEVICE', 'ORIGINAL', 'VERSION'] as const;

type Property = (typeof PROPERTIES)[number];

/** Joins the parts of a version up to the first that is not known or empty; null if the first is not known. */
function versionOf({ version }: VersionedName): string | null {
  if (version[0] === null || version[0] === undefined) return null;
  const end = version.findIndex((part) => part === null || part === '');
  return (end < 0 ? version : version.slice(0, end)).join('.');
}

function osOf(os: VersionedName): Record<string, unknown> {
  const version = versionOf(os);
  return version === null ? { name: os.name } : { name: os.name, version, full: `${os.name} ${version}` };
}

/** What each property adds to the result. */
const DETAILS: Readonly<
  Record<Property, (text: string, found: UserAgent, withType: boolean) => Record<string, unknown>>
> = {
  ORIGINAL: (text) => ({ original: text }),
  NAME: (_text, { agent }) => ({ name: agent?.name ?? 'Other' }),
  VERSION(_text, { agent }) {
    const version = agent && versionOf(agent);
    return version === null ? {} : { version };
  },
  OS: (_text, { os }) => (os === null ? {} : { os: osOf(os) }),
  DEVICE(text, found, withType) {
    const name = found.device?.name ?? 'Other';
    return { device: withType ? { name, type: deviceType(text, found) } : { name } };
  },
};

function propertyOf(name: string): Property | null {
  return PROPERTIES.find((known) => known === name.toUpperCase()) ?? null;
}

/** Describes the program and the device that a text of the header `User-Agent` names. */
export const userAgent: ProcessorType = {
  name: 'user_agent',
  parse(config, site) {
    const field = config.string('field');
    const target = config.stringOr('target_field', 'user_agent');
    const file = config.stringOr('regex_file', '_default_');
    const names = config.optionalStrings('properties');
    const ignoreMissing = config.boolean('ignore_missing', false);
    const withType = config.boolean('extract_device_type', false);
    config.optional('ecs');
    const parser = site.databases.userAgents.get(file);
    if (parser === null)
      throw config.error('regex_file', `regex file [${file}] doesn't exist (has to exist at node startup)`);
    const unknown = names?.find((name) => propertyOf(name) === null);
    if (unknown !== undefined)
      throw config.error(
        'properties',
        `illegal property value [${unknown}]. valid values are [${PROPERTIES.join(', ')}]`,
      );
    const properties = PROPERTIES.filter((name) => names === null || names.some((text) => propertyOf(text) === name));
    return (document, { pause }) => {
      const text = document.text(field, ignoreMissing);
      if (text === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot parse user-agent.`);
      }
      document.charge(text.length);
      return andThen(parser.parseInTurns(text, pause), (found) =>
        document.set(target, Object.assign({}, ...properties.map((name) => DETAILS[name](text, found, withType)))),
      );
    };
  },
};
