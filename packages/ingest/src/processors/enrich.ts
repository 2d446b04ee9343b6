import { errors } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { SHAPE_RELATIONS } from '../enrich.js';
import type { IngestDocument } from '../document.js';
import type { ProcessorType } from '../processor-type.js';

const MATCHES_MAX = 128;

/** Adds the fields of documents that an enrich policy finds for a value. */
export const enrich: ProcessorType = {
  name: 'enrich',
  parse(config, site) {
    const policy = config.string('policy_name');
    const sourceOf = () => {
      const source = site.databases.enrich.get(policy);
      if (source === null) throw errors.illegalArgument(`no enrich index exists for policy with name [${policy}]`);
      return source;
    };
    sourceOf();
    const field = config.template('field');
    const ignoreMissing = config.boolean('ignore_missing', false);
    const overrides = config.boolean('override', true);
    const target = config.template('target_field');
    const max = config.integer('max_matches', 1);
    const named = config.stringOr('shape_relation', 'INTERSECTS');
    config.stringOr('orientation', 'CCW');
    const relation = SHAPE_RELATIONS.find((one) => one === named.toUpperCase());
    if (max < 1 || max > MATCHES_MAX) throw config.error('max_matches', 'should be between 1 and 128');
    if (relation === undefined) throw errors.illegalArgument(`${named} is not a valid shape relation`);
    const setFound = (document: IngestDocument, found: readonly JsonObject[]): void => {
      const path = target.render(document);
      if (found.length === 0 || (!overrides && document.has(path))) return;
      document.set(path, document.copyOf(max === 1 ? found[0] : found));
    };
    return (document) => {
      const value = document.get(field.render(document), ignoreMissing) ?? null;
      if (value === null) return;
      const found = sourceOf().find(value, max, relation);
      return found instanceof Promise
        ? found.then((documents) => setFound(document, documents))
        : setFound(document, found);
    };
  },
};
