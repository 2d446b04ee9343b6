import { capable } from '../field-capabilities.js';
import type { ValueFormat } from '../field-type.js';
import { meta } from '../parameter.js';
import { type FieldTypeDefinition, termsLayout } from './definition.js';
import { keywordField } from './keyword.js';

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;

/** Sorts before every digit and letter: a release comes after its pre-releases. */
const PRE_RELEASE = '\u0001';
const RELEASE = '\u0002';
const INVALID = '\u007f';

/** Digits with their count before them, so that text order is number order. */
function sortableNumber(digits: string): string {
  const plain = digits.replace(/^0+(?=\d)/, '');
  return `${String.fromCharCode(0x20 + plain.length)}${plain}`;
}

function sortableIdentifier(part: string): string {
  return /^\d+$/.test(part) ? `0${sortableNumber(part)}` : `1${part}`;
}

/** A term in the order of semantic versions, the text itself behind it; texts that are no version come last. */
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

const FORMAT: ValueFormat = {
  toJson: (value) => versionText(String(value)),
  toText: (value) => versionText(String(value)),
  parse: (value) => versionTerm(String(value)),
};

/** `version`: texts in the order of semantic versions. */
export const version: FieldTypeDefinition = {
  name: 'version',
  capabilities: capable({ hasPatterns: true }),
  parameters: [meta],
  create: (config) => ({
    ...keywordField(config, {
      layout: termsLayout(config.name, true, true),
      ignoreAbove: 2147483647,
      nullValue: null,
      normalize: versionTerm,
    }),
    format: () => FORMAT,
    fetchValue: (value) => String(value),
  }),
};
