import type { ArchiveTerm } from '../../../src/domain/archive/archive-term';
import {
  ArchiveInteractions,
  type EndedInteraction,
} from '../../../src/usecase/archive/archive-interactions';
import { FakeClock } from '../../support/fake-clock';
import { InMemoryArchive } from '../../support/in-memory-archive';
import { InMemoryConfiguration } from '../../support/in-memory-configuration';
import { aTenant } from '../../support/sample-catalog';

const HOUR_MS = 3_600_000;

describe('archiving interactions', () => {
  let clock: FakeClock;
  let archive: InMemoryArchive;
  let interactions: ArchiveInteractions;
  let term: ArchiveTerm;

  beforeEach(async () => {
    clock = new FakeClock(1_000);
    const configuration = new InMemoryConfiguration();
    await configuration.insertTenant(aTenant({ id: 'acme' }));
    archive = new InMemoryArchive(configuration);
    term = { untilMs: 9_000, retentionHours: 2, include: ['request', 'answer'] };
    await archive.switchOn('acme', term);
    const shutdown = new AbortController().signal;
    interactions = new ArchiveInteractions({ ...archive.parts, clock, sleeper: clock, shutdown });
  });

  const ended = (number: number, more: Partial<EndedInteraction> = {}): EndedInteraction => ({
    requestId: `req_${number}`,
    tenant: 'acme',
    term,
    body: { model: 'm' },
    answer: { status: 200, text: 'Hi', characters: 2 },
    ...more,
  });
  const keep = (interaction: EndedInteraction) => interactions.keep(interaction);
  const stored = () =>
    archive.entries.map(({ tenant, requestId, sealed }) =>
      archive.vault.unseal(sealed, { tenant, requestId }),
    );

  it('writes nothing while its caller looks on, and all of it a moment later', async () => {
    keep(ended(1));
    keep(ended(2, { answer: null }));
    expect(archive.entries).toEqual([]);

    await clock.run();

    expect(archive.entries.map(({ requestId }) => requestId)).toEqual(['req_1', 'req_2']);
    const { archivedAtMs, expiresAtMs } = archive.entries[0]!;
    expect(expiresAtMs - archivedAtMs).toBe(2 * HOUR_MS);
    const request = { text: '{"model":"m"}', characters: 13 };
    expect(stored()).toEqual([
      { request, answer: { status: 200, text: 'Hi', characters: 2 } },
      { request, answer: null },
    ]);
    expect(archive.reports).toEqual([['stored', 2]]);
  });

  it.each([
    ['request', { request: { text: '{"model":"m"}', characters: 13 }, answer: null }],
    ['answer', { request: null, answer: { status: 200, text: 'Hi', characters: 2 } }],
  ] as const)('keeps the %s alone where the term says so', async (part, expected) => {
    keep(ended(1, { term: { ...term, include: [part] } }));

    await clock.run();

    expect(stored()).toEqual([expected]);
  });

  it('keeps nothing of who has switched it off since, and says so', async () => {
    keep(ended(1));
    await archive.switchOff('acme');

    await clock.run();

    expect(archive.entries).toEqual([]);
    expect(archive.reports).toEqual([['unwanted', 1]]);
  });

  it('names what a failing store has lost, and goes on with the next', async () => {
    archive.unavailable = true;
    keep(ended(1));
    await clock.run();
    archive.unavailable = false;
    keep(ended(2));
    await clock.run();

    expect(archive.reports).toEqual([
      ['store_failed', ['req_1']],
      ['stored', 1],
    ]);
  });

  it('holds no more than 64 MB, and names what is lost on top of it', async () => {
    const answer = { status: 200, text: 'long', characters: 16_000_000 };
    for (const number of [1, 2, 3]) keep(ended(number, { answer }));
    expect(archive.reports).toEqual([['overloaded', ['req_3']]]);

    await clock.run();
    keep(ended(4, { answer }));
    await clock.run();

    expect(archive.entries.map(({ requestId }) => requestId)).toEqual(['req_1', 'req_2', 'req_4']);
  });

  it.each([
    ['a megabyte', 5, 300_000, [3, 2]],
    ['one that is larger', 2, 2_000_000, [1, 1]],
    ['twenty small ones', 45, 10, [20, 20, 5]],
  ])('writes %s at a time', async (_name, interactionCount, characters, batches) => {
    const answer = { status: 200, text: 'cut', characters };
    for (let number = 0; number < interactionCount; number += 1) keep(ended(number, { answer }));

    await clock.run();

    expect(archive.reports).toEqual(batches.map((count) => ['stored', count]));
  });

  it('is idle once nothing is waiting', async () => {
    for (let number = 0; number < 25; number += 1) keep(ended(number));

    const idle = interactions.idle();
    await clock.run();
    await idle;

    expect(archive.entries).toHaveLength(25);
  });
});
