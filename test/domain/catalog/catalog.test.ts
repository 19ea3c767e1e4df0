import {
  isRouteEnabled,
  resolveModelName,
  routesAtChannel,
  routesOf,
} from '../../../src/domain/catalog/catalog';
import { ABLE, aChannel, aModel, anOffering, sampleCatalog } from '../../support/sample-catalog';

describe('catalog', () => {
  it.each([
    { name: 'a name', requested: 'gpt-s', expected: 'gpt-s' },
    { name: 'an alias', requested: 'small', expected: 'gpt-s' },
    { name: 'neither', requested: 'auto', expected: undefined },
    { name: 'the empty text', requested: '', expected: undefined },
  ])('resolves $name to $expected', ({ requested, expected }) => {
    expect(resolveModelName(sampleCatalog(), requested)?.name).toBe(expected);
  });

  it('lets a name go before an alias of the same spelling', () => {
    const catalog = sampleCatalog((entries) => ({
      ...entries,
      models: [...entries.models, aModel('small')],
    }));

    expect(resolveModelName(catalog, 'small')?.name).toBe('small');
  });

  it('lists the routes of a model in the order of their registration', () => {
    expect(routesOf(sampleCatalog(), 'gpt-s').map(({ id }) => id)).toEqual(['oa-1', 'oa-2', 'az']);
  });

  it('has no routes for an unknown model', () => {
    expect(routesOf(sampleCatalog(), 'gpt-x')).toEqual([]);
  });

  it.each([
    { name: 'channel', offering: anOffering({ id: 'lost', channel: 'ch-gone' }) },
    { name: 'model', offering: anOffering({ id: 'lost', channel: 'ch-an', model: 'gone' }) },
  ])('makes no route of an offering whose $name is missing', ({ offering }) => {
    const catalog = sampleCatalog((entries) => ({ ...entries, offerings: [offering] }));

    expect([...catalog.routes.values()].flat()).toEqual([]);
    expect(catalog.offerings.has('lost')).toBe(true);
  });

  it('lets an offering narrow the contract of its model', () => {
    const catalog = sampleCatalog((entries) => ({
      ...entries,
      offerings: [anOffering({ channel: 'ch-an', contract: { tools: false, contextTokens: 8_000 } })],
    }));

    expect(routesOf(catalog, 'gpt-s')[0]?.contract).toEqual({ ...ABLE, tools: false, contextTokens: 8_000 });
  });

  it.each([
    { offering: true, channel: true, expected: true },
    { offering: false, channel: true, expected: false },
    { offering: true, channel: false, expected: false },
  ])('has an enabled route ($expected) with offering $offering and channel $channel', (given) => {
    const catalog = sampleCatalog((entries) => ({
      ...entries,
      channels: [aChannel({ id: 'ch', enabled: given.channel })],
      offerings: [anOffering({ enabled: given.offering })],
    }));

    expect(routesOf(catalog, 'gpt-s')[0]?.enabled).toBe(given.expected);
    expect(isRouteEnabled(catalog, 'off')).toBe(given.expected);
  });

  it('has no enabled route where the offering is gone', () => {
    expect(isRouteEnabled(sampleCatalog(), 'gone')).toBe(false);
  });

  it('finds every route of a channel, whichever model it serves', () => {
    const catalog = sampleCatalog((entries) => ({
      ...entries,
      offerings: [...entries.offerings, anOffering({ id: 'an-2', channel: 'ch-an', model: 'gpt-s' })],
    }));

    expect(routesAtChannel(catalog, 'ch-an')).toEqual(['an', 'an-2']);
  });
});
