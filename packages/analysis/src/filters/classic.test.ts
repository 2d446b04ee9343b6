import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test("classic drops 's and the dots of acronyms", () =>
  analyzes({ tokenizer: 'classic', filter: ['classic'] }, [
    ["dog's I.B.M. plain", 'dog@0 IBM@1 plain@2'],
    ["U.S.A. O'Neil", "USA@0 O'Neil@1"],
  ]));
