import type { ProcessorType } from '../processor-type.js';
import { runPipeline } from '../run.js';
import { refused } from '../refused.js';

/** Runs another pipeline on the document. */
export const pipeline: ProcessorType = {
  name: 'pipeline',
  parse(config, site) {
    const name = config.template('name');
    const ignoreMissing = config.boolean('ignore_missing_pipeline', false);
    return (document, run) => {
      const id = name.render(document);
      const inner = site.pipeline(id);
      if (inner !== null) return runPipeline(inner, document, run);
      if (!ignoreMissing) throw refused(`Pipeline processor configured for non-existent pipeline [${id}]`);
    };
  },
};
