import { errors } from '@shoal/errors';
import type { ConfigReader } from '../config-reader.js';
import type { IngestDocument } from '../document.js';
import type { ProcessorType } from '../processor-type.js';
import type { Template } from '../template.js';

const DATA_STREAM = /^([^-]+)-([^-]+)-(.+)$/;

function candidates(config: ConfigReader, name: string, fallback: string): readonly Template[] {
  const value = config.optional(name);
  const texts =
    value === null
      ? [fallback]
      : Array.isArray(value)
        ? value.map((item) => config.textOf(name, item))
        : [config.textOf(name, value)];
  return texts.map((text) => config.compile(name, text));
}

/** Returns the first candidate that has a text, made fit for a name of an index; null if none has. */
function firstText(templates: readonly Template[], document: IngestDocument, isDataset: boolean): string | null {
  for (const template of templates) {
    const text = template
      .render(document)
      .toLowerCase()
      .replace(isDataset ? /[\\/*?"<>| ,#:-]/g : /[\\/*?"<>| ,#:]/g, '_');
    if (text !== '') return text.slice(0, 100);
  }
  return null;
}

/** Sends the document to another index, and ends its pipelines. */
export const reroute: ProcessorType = {
  name: 'reroute',
  parse(config) {
    const destination = config.optionalString('destination');
    const datasets = candidates(config, 'dataset', '{{data_stream.dataset}}');
    const namespaces = candidates(config, 'namespace', '{{data_stream.namespace}}');
    if (destination !== null && (config.has('dataset') || config.has('namespace')))
      throw config.error('destination', 'can only be set if dataset and namespace are not set');
    return (document) => {
      if (destination !== null) {
        document.set('_index', destination);
        document.isRerouted = true;
        return;
      }
      const index = String(document.get('_index'));
      const match = DATA_STREAM.exec(index);
      if (!match)
        throw errors.illegalArgument(
          `invalid data stream name: [${index}]; must follow naming scheme <type>-<dataset>-<namespace>`,
        );
      const dataset = firstText(datasets, document, true) ?? match[2]!;
      const namespace = firstText(namespaces, document, false) ?? match[3]!;
      document.set('_index', `${match[1]}-${dataset}-${namespace}`);
      document.isRerouted = true;
      document.set('data_stream.type', match[1]);
      document.set('data_stream.dataset', dataset);
      document.set('data_stream.namespace', namespace);
      if (document.has('event.dataset')) document.set('event.dataset', dataset);
    };
  },
};
