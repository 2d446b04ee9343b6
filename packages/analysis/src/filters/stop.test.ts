import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('stop drops English words without meaning of their own, and leaves their place', () =>
  analyzes({ filter: ['stop'] }, [
    ['the quick and the dead', 'quick@1 dead@4'],
    ['The end', 'The@0 end@1'],
  ]));

test('stop drops the words of a language or those that it is given', () =>
  analyzes({ filter: [{ type: 'stop', stopwords: '_german_' }] }, [['der Hund und die Katze', 'Hund@1 Katze@4']]));

test('stop may ignore case', () =>
  analyzes({ filter: [{ type: 'stop', stopwords: ['a', 'b'], ignore_case: true }] }, [['A b c', 'c@2']]));

test('stop of no words drops none', () =>
  analyzes({ filter: [{ type: 'stop', stopwords: '_none_' }] }, [['the end', 'the@0 end@1']]));
