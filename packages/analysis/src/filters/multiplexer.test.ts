import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('multiplexer gives the outputs of several chains beside each term', () =>
  analyzes({ filter: [{ type: 'multiplexer', filters: ['lowercase', 'lowercase, porter_stem'] }] }, [
    ['Going Home', 'Going@0 going@0 go@0 Home@1 home@1'],
    ['abc', 'abc@0'],
  ]));

test('multiplexer may leave the term itself out', () =>
  analyzes({ filter: [{ type: 'multiplexer', filters: ['lowercase', 'reverse'], preserve_original: false }] }, [
    ['Ab', 'ab@0 bA@0'],
  ]));
