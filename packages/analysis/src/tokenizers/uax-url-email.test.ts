import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('uax_url_email keeps addresses together', () =>
  cuts({ tokenizer: 'uax_url_email' }, [
    [
      'see http://a.com/c?d=e or me@x.com now',
      'see[0-3] http://a.com/c?d=e[4-22] or[23-25] me@x.com[26-34] now[35-38]',
    ],
    ["plain words isn't", "plain[0-5] words[6-11] isn't[12-17]"],
  ]));
