import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAnalysisRegistry } from '@shoal/analysis';
import { isApiError } from '@shoal/errors';
import { mergeMappings, parseMapping } from '../parse-mapping.js';
import { mappingOptions } from '../settings.js';
import { fieldTable, refusesDefinitions } from '../testing/field-table.js';

const options = mappingOptions({}, buildAnalysisRegistry({}));
const definition = { type: 'join', relations: { question: ['answer', 'comment'], answer: 'vote' } };
const family = fieldTable(definition, { routing: 'r' });

test('join indexes the relation and the id that parents and children share', () =>
  family.indexes([
    ['question', { f: ['question'], 'f#question': ['1'], _routing: ['r'] }],
    [{ name: 'question' }, { f: ['question'], 'f#question': ['1'], _routing: ['r'] }],
    [
      { name: 'answer', parent: 'q7' },
      { f: ['answer'], 'f#question': ['q7'], 'f#answer': ['1'], _routing: ['r'] },
    ],
    [
      { name: 'vote', parent: 12 },
      { f: ['vote'], 'f#answer': ['12'], _routing: ['r'] },
    ],
  ]));

test('join refuses unknown names, and children without a parent or a routing', () => {
  family.refuses([
    ['reply', 'illegal_argument_exception: unknown join name [reply] for field [f]'],
    [{ parent: '1' }, 'illegal_argument_exception: null join name in field [f]'],
    [{ name: 'question', x: 'y' }, 'illegal_argument_exception: unknown field name [x] in join field [f]'],
    ['answer', 'illegal_argument_exception: [parent] is missing for join field [f]'],
    [5, 'illegal_state_exception: [f] expected START_OBJECT or VALUE_STRING but was: VALUE_NUMBER'],
    [null, 'illegal_state_exception: [f] expected START_OBJECT or VALUE_STRING but was: VALUE_NULL'],
  ]);
  fieldTable(definition).refuses([
    [{ name: 'answer', parent: '1' }, 'illegal_argument_exception: [routing] is missing for join field [f]'],
  ]);
});

test('join refuses a child of two parents and relations that are no object', () =>
  refusesDefinitions([
    [{ type: 'join', relations: { a: ['x'], b: 'x' } }, 'illegal_argument_exception: [x] cannot have multiple parents'],
    [
      { type: 'join', relations: ['a'] },
      'parse_exception: relations should be a hash but was of type: class java.util.ArrayList',
    ],
  ]));

function update(relations: object): string {
  const mapping = parseMapping({ properties: { f: definition } }, options);
  try {
    mergeMappings(mapping, { properties: { f: { type: 'join', relations } } }, options, 'update');
    return 'merged';
  } catch (error) {
    assert.ok(isApiError(error));
    return error.reason ?? '';
  }
}

const conflict = (...reasons: string[]): string => {
  const lines = reasons.map((reason) => `\n\tConflict in parameter [relations]: ${reason}`);
  return `Mapper for [f] conflicts with existing mapper:${lines.join('')}`;
};

test('an update of a mapping adds relations and removes or moves none', () => {
  assert.equal(update({ question: ['answer', 'comment', 'edit'], answer: 'vote', person: 'address' }), 'merged');
  assert.equal(
    update({ question: 'answer' }),
    conflict('Cannot remove parent [answer]', 'Cannot remove child [comment]', 'Cannot remove child [vote]'),
  );
  assert.equal(
    update({ question: ['answer', 'comment'], answer: 'vote', vote: 'x' }),
    conflict('Cannot create parent [vote] from an existing child'),
  );
  assert.equal(
    update({ question: ['answer', 'comment'], answer: 'vote', top: 'question' }),
    conflict('Cannot create child [question] from an existing root'),
  );
});

test('an index has one join field, which is no part of an object', () => {
  const reason = (properties: object): string => {
    try {
      parseMapping({ properties }, options);
      return 'parsed';
    } catch (error) {
      assert.ok(isApiError(error));
      return error.causedBy?.reason ?? error.reason ?? '';
    }
  };
  assert.equal(
    reason({ f: definition, g: definition }),
    'Only one [parent-join] field can be defined per index, got [f, g]',
  );
  assert.equal(
    reason({ o: { properties: { f: definition } } }),
    'join field [o.f] cannot be added inside an object or in a multi-field',
  );
});

test('the ids have fields of their own, which queries and aggregations may name', () => {
  const mapping = parseMapping({ properties: { f: definition } }, options);
  assert.equal(mapping.field('f#question')?.typeName, 'parent');
  assert.equal(mapping.field('f#answer')?.isAggregatable, true);
  assert.equal(mapping.field('f#vote'), null);
  assert.equal(mapping.join?.field, 'f');
});
