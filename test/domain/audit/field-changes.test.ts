import { fieldChanges } from '../../../src/domain/audit/field-changes';
import { actionOf, type ChangeAction } from '../../../src/domain/audit/admin-change';
import type { FieldChange } from '../../../src/domain/audit/field-changes';

describe('field changes', () => {
  it('names what differs, by its path, and nothing else', () => {
    const before = { name: 'A', features: { failover: false, other: 1 }, list: [1] };
    const after = { name: 'A', features: { failover: true, other: 1 }, list: [1, 2] };

    expect(fieldChanges(before, after, ['name', 'features', 'list'])).toEqual([
      { field: 'features.failover', values: { from: false, to: true } },
      { field: 'list', values: { from: [1], to: [1, 2] } },
    ]);
  });

  it('withholds the values of fields that could hold a secret, also of those that nobody thought of', () => {
    const before = { options: { headers: { 'x-key': 'old-secret' } } };
    const after = { options: { headers: { 'x-key': 'new-secret' } }, invented_later: 'secret' };

    const changes = fieldChanges(before, after, ['name']);

    expect(changes).toEqual([
      { field: 'invented_later', values: null },
      { field: 'options.headers.x-key', values: null },
    ]);
  });

  it('tells a part of an object, by its path, and nothing that only begins alike', () => {
    const after = { subject: { channel: 'oa', baseUrl: 'https://key@host', channelKey: 'secret' } };

    expect(fieldChanges({}, after, ['subject.channel'])).toEqual([
      { field: 'subject.baseUrl', values: null },
      { field: 'subject.channel', values: { from: null, to: 'oa' } },
      { field: 'subject.channelKey', values: null },
    ]);
  });

  it('tells the whole object where it is made or removed', () => {
    expect(fieldChanges(undefined, { name: 'A' }, ['name'])).toEqual([
      { field: 'name', values: { from: null, to: 'A' } },
    ]);
    expect(fieldChanges({ name: 'A' }, undefined, ['name'])).toEqual([
      { field: 'name', values: { from: 'A', to: null } },
    ]);
  });
});

describe('action of a change', () => {
  const field = (name: string, from: unknown, to: unknown): FieldChange => ({
    field: name,
    values: { from, to } as FieldChange['values'] & object,
  });
  const there = { before: {}, after: {} };

  it.each<[string, readonly FieldChange[], Readonly<{ before: unknown; after: unknown }>, ChangeAction]>([
    ['made', [], { before: undefined, after: {} }, 'created'],
    ['gone', [], { before: {}, after: undefined }, 'removed'],
    ['a key that ended', [field('revoked_at', null, 9)], there, 'revoked'],
    ['a channel switched on', [field('enabled', 0, 1)], there, 'enabled'],
    ['a channel switched off', [field('enabled', 1, 0)], there, 'disabled'],
    ['another field', [field('name', 'a', 'b')], there, 'updated'],
    ['several fields', [field('enabled', 1, 0), field('name', 'a', 'b')], there, 'updated'],
    ['nothing by name', [], there, 'updated'],
  ])('%s', (_name, fields, object, action) => {
    expect(actionOf(fields, object)).toBe(action);
  });
});
