import { withCapabilities } from '../field-capabilities.js';
import type { ValueFormat } from '../field-type.js';
import { meta } from '../parameter.js';
import { type FieldTypeDefinition, termsLayout } from './definition.js';
import { keywordField } from './keyword.js';

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;

/** Follows the version in a term of a pre-release, and of a release: pre-releases sort first. */
const PRE_RELEASE = '\u0001';
const RELEASE = '\u0002';
const INVALID = '\u007f';

/** Digits after their count, so that the text order is the order of numbers. */
function sortableNumber(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '');
  return `${String.fromCharCode(0x20 + plain.length)}${plain}`;
}

function sortableIdentifier(part: string): string {
  return /^\d+$/.test(part) ? `0${sortableNumber(part)}` : `1${part}`;
}

/**
 * Encodes a version as a term in the order of semantic versions, followed by the text itself; texts that are not
 * versions sort last.
 */
export function versionTerm(text: string): string {
  const match = VERSION.exec(text);
  if (!match) return `${INVALID}${text}\u0000${text}`;
  const core = [match[1], match[2], match[3]].map((part) => sortableNumber(part ?? '0')).join('.');
  const pre =
    match[4] === undefined ? RELEASE : `${PRE_RELEASE}${match[4].split('.').map(sortableIdentifier).join('\u0001')}`;
  return `${core}${pre}\u0000${text}`;
}

function versionText(term: string): string {
  return term.slice(term.indexOf('\u0000') + 1);
}

/** Prints terms of versions as their texts. */
export const VERSION_FORMAT: ValueFormat = {
  toJson: (value) => versionText(String(value)),
  toText: (value) => versionText(String(value)),
  parse: (value) => versionTerm(String(value)),
};

/** `version`: texts in the order of semantic versions. */
export const version: FieldTypeDefinition = {
  name: 'version',
  capabilities: withCapabilities({ hasPatterns: true }),
  parameters: [meta],
  create: (config) => ({
    ...keywordField(config, {
      layout: termsLayout(config.name, true, true),
      ignoreAbove: 2147483647,
      nullValue: null,
      normalize: versionTerm,
    }),
    format: () => VERSION_FORMAT,
    fetchValue: (value) => String(value),
  }),
};
