import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTEXT_NAMES } from '../../contexts/catalogue.js';
import { describeContext } from './describe-context.js';

test('a context shows the members of its classes and its own functions', () => {
  const { classes, imported_methods: functions } = describeContext('score');
  const list = classes.find(({ name }) => name === 'java.util.List')!;
  assert.equal(list.imported, true);
  assert.deepEqual(
    list.methods.find(({ name }) => name === 'subList'),
    { declaring: 'java.util.List', name: 'subList', return: 'java.util.List', parameters: ['int', 'int'] },
  );
  const math = classes.find(({ name }) => name === 'java.lang.Math')!;
  assert.ok(math.static_fields.some(({ name, type }) => name === 'PI' && type === 'double'));
  assert.ok(functions.some(({ name, parameters }) => name === 'saturation' && parameters.length === 2));
});

test('all contexts can be shown, and an unknown one is refused', () => {
  for (const name of CONTEXT_NAMES) assert.ok(describeContext(name).classes.length > 100);
  assert.throws(() => describeContext('nope'), { type: 'illegal_argument_exception', status: 400 });
});

test('no context allows reflection, threads, files or the loading of classes', () => {
  const rooms = /^java\.(io|nio|net|lang\.reflect|lang\.invoke|security)\.(?!Serializable$)/;
  const classes = /^java\.lang\.(Class|ClassLoader|Thread|Runtime|Process|ProcessBuilder)$/;
  for (const context of CONTEXT_NAMES)
    for (const { name, methods } of describeContext(context).classes) {
      assert.doesNotMatch(name, rooms);
      assert.doesNotMatch(name, classes);
      assert.ok(methods.every((method) => method.name !== 'getClass' && !method.return.endsWith('Class')));
    }
});
