import { errors, isApiError } from '@shoal/errors';
import type { ConfigReader } from '../config-reader.js';
import type { IngestDocument } from '../document.js';
import type { ProcessorType } from '../processor-type.js';

/** Where a part of the name of a data stream comes from; null if the document does not tell it. */
type PartSource = (document: IngestDocument) => string | null;

const PART_MAX = 100;
const NOT_IN_DATASET = /[\\/*?"<>| ,#:-]/g;
const NOT_IN_NAMESPACE = /[\\/*?"<>| ,#:]/g;

const cleaned = (text: string, unwanted: RegExp): string =>
  text.toLowerCase().slice(0, PART_MAX).replaceAll(unwanted, '_');

/** The text of a field; null if it has none. */
function textAt(document: IngestDocument, field: string): string | null {
  try {
    return document.text(field, true);
  } catch (thrown) {
    if (isApiError(thrown)) return null;
    throw thrown;
  }
}

/** Reads a name, or a reference to one field: `{{field}}`. */
function partSource(config: ConfigReader, option: string, text: string, unwanted: RegExp): PartSource {
  if (!text.includes('{{') && !text.includes('}}')) {
    if (cleaned(text, unwanted) !== text) throw config.error(option, `'${text}' contains disallowed characters`);
    return () => text;
  }
  const field = /^\{\{(?:\{([^{}]*)\}|([^{}]*))\}\}$/s.exec(text);
  if (!field) throw config.error(option, `'${text}' is not a valid field reference`);
  const name = field[1] ?? field[2]!;
  return (document) => {
    const value = textAt(document, name);
    return value === null ? null : cleaned(value, unwanted);
  };
}

function partSources(config: ConfigReader, option: 'dataset' | 'namespace'): PartSource[] {
  const value = config.optional(option) ?? [];
  const texts = Array.isArray(value) ? value : [value];
  const unwanted = option === 'dataset' ? NOT_IN_DATASET : NOT_IN_NAMESPACE;
  return texts.map((text) => partSource(config, option, config.textOf(option, text), unwanted));
}

/** Returns what the first source tells; null if none does. */
function firstPart(sources: readonly PartSource[], document: IngestDocument): string | null {
  for (const source of sources) {
    const part = source(document);
    if (part !== null) return part;
  }
  return null;
}

/** The parts of the name of a data stream. */
function partsOf(index: string): readonly [type: string, dataset: string, namespace: string] {
  const first = index.indexOf('-');
  const second = first < 0 ? -1 : index.indexOf('-', first + 1);
  if (second < 0)
    throw errors.illegalArgument(
      `invalid data stream name: [${index}]; must follow naming scheme <type>-<dataset>-<namespace>`,
    );
  return [index.slice(0, first), index.slice(first + 1, second), index.slice(second + 1)];
}

/** Sends the document to another index, and ends its pipelines. */
export const reroute: ProcessorType = {
  name: 'reroute',
  parse(config) {
    const datasets = partSources(config, 'dataset');
    const namespaces = partSources(config, 'namespace');
    const destination = config.optionalString('destination');
    if (destination !== null && datasets.length + namespaces.length > 0)
      throw config.error('destination', 'can only be set if dataset and namespace are not set');
    if (datasets.length === 0) datasets.push(partSource(config, 'dataset', '{{data_stream.dataset}}', NOT_IN_DATASET));
    if (namespaces.length === 0)
      namespaces.push(partSource(config, 'namespace', '{{data_stream.namespace}}', NOT_IN_NAMESPACE));
    return (document) => {
      if (destination !== null) {
        document.set('_index', destination);
        document.isRerouted = true;
        return;
      }
      const [type, ownDataset, ownNamespace] = partsOf(String(document.get('_index')));
      const dataset = firstPart(datasets, document) ?? ownDataset;
      const namespace = firstPart(namespaces, document) ?? ownNamespace;
      document.set('_index', `${type}-${dataset}-${namespace}`);
      document.isRerouted = true;
      document.set('data_stream.type', type);
      document.set('data_stream.dataset', dataset);
      document.set('data_stream.namespace', namespace);
      if (document.has('event.dataset')) document.set('event.dataset', dataset);
    };
  },
};
