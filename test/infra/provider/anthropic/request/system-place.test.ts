import type { JsonObject } from '../../../../../src/domain/kernel/json';
import { conversationOf, HELLO, OPUS_4_8 } from '../claude-contract';
import { text, user, assistant, call, calling, result, use, outcome } from './history';

describe('system messages in mid-conversation (B04)', () => {
  const late = { role: 'developer', content: 'From here on answer in Japanese.' };
  const opening = [{ role: 'system', content: 'Be terse.' }, HELLO, { role: 'assistant', content: 'Hello.' }];
  const native = (...content: readonly JsonObject[]): JsonObject => ({ role: 'system', content });
  const rule = text('From here on answer in Japanese.');
  const marked = text('<system>From here on answer in Japanese.</system>');
  const said = [user(text('Hi')), assistant(text('Hello.'))];
  const weather = { role: 'user', content: 'Weather?' };

  it.each<[string, readonly JsonObject[], readonly JsonObject[], readonly JsonObject[]]>([
    [
      'before a question',
      [...opening, late, weather],
      [...said, user(marked, text('Weather?'))],
      [...said, user(text('Weather?')), native(rule)],
    ],
    [
      'behind a question, last',
      [...opening, weather, late],
      [...said, user(text('Weather?'), marked)],
      [...said, user(text('Weather?')), native(rule)],
    ],
    ['behind an answer, last', [...opening, late], [...said, user(marked)], [...said, user(marked)]],
    [
      'two in a row',
      [...opening, late, { role: 'system', content: [text('A'), text(' ')] }, weather],
      [...said, user(marked, text('<system>A</system>'), text('Weather?'))],
      [...said, user(text('Weather?')), native(rule, text('A'))],
    ],
    [
      'between a call and its result',
      [HELLO, calling(call('t1')), late, result('t1'), { role: 'assistant', content: 'Done.' }, weather],
      [
        user(text('Hi')),
        assistant(use('t1')),
        user(outcome('t1'), marked),
        assistant(text('Done.')),
        user(text('Weather?')),
      ],
      [
        user(text('Hi')),
        assistant(use('t1')),
        user(outcome('t1')),
        native(rule),
        assistant(text('Done.')),
        user(text('Weather?')),
      ],
    ],
    [
      'between two answers',
      [...opening, late, { role: 'assistant', content: 'More.' }, weather],
      [...said, user(marked), assistant(text('More.')), user(text('Weather?'))],
      [user(text('Hi')), assistant(text('Hello.'), text('More.')), user(text('Weather?')), native(rule)],
    ],
    [
      'before a blank answer',
      [...opening, weather, late, { role: 'assistant', content: ' ' }, HELLO],
      [...said, user(text('Weather?'), marked, text('Hi'))],
      [...said, user(text('Weather?'), text('Hi')), native(rule)],
    ],
  ])('keep their place: %s', (_name, messages, asText, natively) => {
    const system = messages[0]?.role === 'system' ? { system: [text('Be terse.')] } : {};

    expect(conversationOf(messages)).toEqual({ ...system, messages: asText });
    expect(conversationOf(messages, OPUS_4_8)).toEqual({ ...system, messages: natively });
  });
});
