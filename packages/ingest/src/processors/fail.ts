import { errors } from '@shoal/errors';
import type { ProcessorType } from '../processor-type.js';

/** Fails the document with a message. */
export const fail: ProcessorType = {
  name: 'fail',
  parse(config) {
    const message = config.template('message');
    return (document) => {
      throw errors.failProcessor(message.render(document));
    };
  },
};
